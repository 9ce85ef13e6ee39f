------------------------------ MODULE NoLayout ------------------------------
(***************************************************************************)
(* Things that compiled code has no layout for, in places where they are   *)
(* never needed: names that occur nowhere else, integers of many digits,   *)
(* infinite and enormous sets, empty functions.                            *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

VARIABLES x, r, f, s

Rec == [a |-> 3, b |-> 4]
None == [k \in {} |-> 0]
Huge == 2^100
Lots == [1..40 -> 1..40]

Init == x = 0 /\ r = Rec /\ f = [k \in 1..3 |-> k] /\ s = <<>>

No == x < 0 \* never true, and not a constant

Names ==
    \/ "c1" \in DOMAIN Rec /\ Rec["c1"] > x
    \/ "c2" \in DOMAIN r /\ r["c2"] > x
    \/ No /\ r[<<"c3", "c4">>] = 1
    \/ No /\ f["c5"] = 1
    \/ No /\ s["c6"] = 1
    \/ No /\ r.c7 = 1
    \/ No /\ [r EXCEPT !["c8"] = 1] = r
    \/ No /\ [r EXCEPT !.a = "c9"] = r
    \/ No /\ (IF x = 0 THEN "c10" ELSE "c11") \in DOMAIN r
    \/ No /\ r[IF x = 0 THEN "a" ELSE "c12"] = 3
    \/ No /\ [r EXCEPT ![IF x = 0 THEN "a" ELSE "c13"] = @ + 1] = r
    \/ No /\ "c14" @@ r = r
    \/ No /\ ("c15" :> x) @@ r = r

Empties ==
    \/ No /\ None[x] = 1
    \/ No /\ None["c16"] = 1
    \/ No /\ None.c17 = 1
    \/ No /\ [None EXCEPT ![x] = 1] = None
    \/ No /\ <<>>[x] = 1
    \/ No /\ <<>>["c18"] = 1
    \/ No /\ Head(<<>>) = x
    \/ No /\ <<x, "c19">>[x] = x
    \/ No /\ <<x, "c19">>[3] = x
    \/ No /\ <<1, 2>>[0] = x
    \/ No /\ (CHOOSE v \in {} : TRUE) = x
    \/ No /\ \E v \in {} : v = x
    \/ No /\ {v \in {} : v.a = x} = {x}
    \/ No /\ [v \in {} |-> v][x] = 1
    \/ No /\ UNION {{}} = {x}

Large ==
    \/ No /\ r[Huge] = 1
    \/ No /\ f[Huge] = 1
    \/ No /\ f[Nat] = 1
    \/ No /\ r[Nat] = 1
    \/ No /\ s[Seq({1})] = 1
    \/ No /\ [f EXCEPT ![Huge] = 1] = f
    \/ No /\ [f EXCEPT ![Nat] = 1] = f
    \/ No /\ [f EXCEPT ![1] = Nat] = f
    \/ No /\ [f EXCEPT ![1] = Huge] = f
    \/ No /\ Huge + x = x
    \/ No /\ Huge \in {x}
    \/ No /\ Nat \in {{x}}
    \/ No /\ Nat = {x}
    \/ No /\ <<Huge, x>> = <<x, x>>
    \/ No /\ <<Nat, x>> = <<x, x>>
    \/ No /\ [a |-> Huge, b |-> x] = r
    \/ No /\ [a |-> Nat, b |-> x].b = x
    \/ No /\ {Huge, x} = {x}
    \/ No /\ {Nat, {x}} = {{x}}
    \/ No /\ Append(s, Huge) = s
    \/ No /\ Append(s, Nat) = s
    \/ No /\ Lots[x] = 1
    \/ No /\ Cardinality(Lots) = x
    \/ No /\ f \in Lots /\ Lots = {f}
    \/ No /\ DOMAIN Nat = {x}
    \/ No /\ Nat.a = x
    \/ No /\ Huge.a = x
    \/ No /\ Huge["c20"] = x
    \/ No /\ (IF x = 0 THEN Huge ELSE x) = x
    \/ No /\ (IF x = 0 THEN Nat ELSE {x}) = {x}
    \/ No /\ (LET h == Huge IN h + h) = x
    \/ No /\ (LET h == Nat IN <<h, h>>) = <<x>>
    \/ No /\ \E v \in {Nat, Int} : x \in v
    \/ No /\ \E <<v, w>> \in {Nat} : v = w
    \/ No /\ \A v \in {Huge} : v = x
    \/ No /\ SubSeq(s, Huge, Huge) = s
    \/ No /\ x = -Huge
    \/ No /\ Len(Nat) = x
    \/ No /\ Nat = s
    \/ No /\ (x :> Nat) = f
    \/ No /\ (Huge :> x) = f

Odd == Names \/ Empties \/ Large

Next ==
    /\ x < 5
    /\ ~ Odd
    /\ (IF "c21" \in DOMAIN Rec THEN Rec["c21"] > x ELSE x < 5)
    /\ x' = x + 1
    /\ r' = IF No THEN [r EXCEPT !["c22"] = Huge] ELSE [r EXCEPT !.a = x]
    /\ f' = IF No THEN [f EXCEPT !["c23"] = Nat] ELSE f
    /\ s' = IF No THEN Append(s, "c24") ELSE Append(s, x)

Inv == ~ Odd
=============================================================================
