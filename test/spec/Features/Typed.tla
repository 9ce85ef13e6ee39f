------------------------------- MODULE Typed --------------------------------
(***************************************************************************)
(* Model values with types (A_1 and B_1 have the types A and B): TLC       *)
(* compares them with those of their type and with those that have none,   *)
(* and with nothing else.                                                  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS As, Bs, Nil

VARIABLES owner, seen, log, mark

vars == <<owner, seen, log, mark>>

Init ==
    /\ owner \in [As -> Bs \cup {Nil}]
    /\ seen = {}
    /\ log = <<>>
    /\ mark = "none"

Take(a, b) ==
    /\ owner[a] = Nil
    /\ owner' = [owner EXCEPT ![a] = b]
    /\ seen' = seen \cup {b}
    /\ log' = IF Len(log) < 2 THEN Append(log, [who |-> a, what |-> b, how |-> "take"]) ELSE log
    /\ mark' = IF mark = "none" THEN "some" ELSE mark

Drop(a) ==
    /\ owner[a] \in Bs
    /\ owner' = [owner EXCEPT ![a] = Nil]
    /\ seen' = seen \ {owner[a]}
    /\ log' = SelectSeq(log, LAMBDA m : m.who # a)
    /\ UNCHANGED mark

Swap ==
    /\ \E a, c \in As : a # c /\ owner' = [owner EXCEPT ![a] = owner[c], ![c] = owner[a]]
    /\ Cardinality(seen) > 0
    /\ LET b == CHOOSE b \in seen : TRUE IN seen' = {b, Nil} \ {Nil}
    /\ UNCHANGED <<log, mark>>

Next == (\E a \in As : Drop(a) \/ \E b \in Bs : Take(a, b)) \/ Swap

Inv ==
    /\ seen \subseteq Bs
    /\ \A i \in 1..Len(log) : log[i].who \in As /\ log[i].what \in Bs /\ log[i].how = "take"
    /\ \A a \in As : owner[a] = Nil \/ owner[a] \in Bs

\* Refused: a model value of type B and one of type A, a string, a number.
NotOther == Cardinality(seen) < 2 \/ \E a \in As : owner[a] = a
NotString == Cardinality(seen) < 2 \/ \E a \in As : owner[a] \in {"none", "some"}
NotNumber == Cardinality(seen) < 2 \/ \E a \in As : owner[a] = 1
NotMember == Cardinality(seen) < 2 \/ \E a \in As : a \in seen
=============================================================================
