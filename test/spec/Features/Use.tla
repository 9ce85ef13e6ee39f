----------------------------- MODULE Use -----------------------------
(***************************************************************************)
(* INSTANCE in all forms, nested modules, LAMBDA, operator parameters,     *)
(* recursive functions, user-defined operators, LET, subexpression names,  *)
(* ENABLED, and overrides by the configuration.                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Elem, Limit, Pick(_, _), Start
VARIABLES a, b, phase

----------------------------- MODULE Phases -----------------------------
VARIABLE ph
Turn == ph' = (ph + 1) % 3
Low == ph < 3
=========================================================================

One(x) == 1
A == INSTANCE Buffer WITH items <- a, Size <- Limit, Weight <- One
B(n) == INSTANCE Buffer WITH items <- b, Size <- n, Weight <- LAMBDA e : e
P == INSTANCE Phases WITH ph <- phase

x (+) y == <<x, y>>
Apply(F(_), v) == F(F(v))
half[n \in Nat] == IF n < 2 THEN 0 ELSE 1 + half[n - 2]
s ** t == {u \o v : u \in s, v \in t}

Init == /\ A!BufInit
        /\ B(2)!BufInit
        /\ phase = Start

Fill == \E e \in Elem : A!Put(e) /\ UNCHANGED <<b, phase>>
Move == /\ A!Get
        /\ LET e == Head(a) IN B(Limit)!Put(Pick(e, 1))
        /\ UNCHANGED phase
Empty == B(0)!Get /\ UNCHANGED <<a, phase>>
Turn == P!Turn /\ UNCHANGED <<a, b>> /\ ~ENABLED Empty
Next == Fill \/ Move \/ Empty \/ Turn

vars == a (+) <<b, phase>>
Spec == Init /\ [][Next]_vars

Inv == /\ A!Fits
       /\ B(Limit)!Fits
       /\ P!Low
       /\ half[Apply(LAMBDA v : v * 2, Len(a))] = 2 * Len(a)
       /\ <<1>> \in {<<>>} ** {<<1>>, <<2>>}
Inv3 == Inv!3
MyPick(x, y) == IF x > y THEN y ELSE x
TwoOf == {1, 2}
=============================================================================
