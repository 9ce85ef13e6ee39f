------------------------------- MODULE Solved -------------------------------
(***************************************************************************)
(* A condition that says what a bound variable is leaves one value to try, *)
(* and a step that changes what a quantifier leaves as it is needs none.   *)
(***************************************************************************)
EXTENDS Naturals, Sequences
CONSTANT N
VARIABLES x, y, seen

Names == {"a", "b", "c", "d"}
Name == <<"c", "a", "d", "b">>

Init == x = 0 /\ y = 0 /\ seen = {}

(* The second variable is that of the outer loop: its value depends on that of the inner one. *)
Range(r) == /\ x < 12
            /\ r[1] = x + 2
            /\ r[1] + 3 = r[2]
            /\ x' = x + 1
            /\ y' = r[2] - r[1]
            /\ UNCHANGED seen
(* Neither of the two fixes the other. *)
Both(b, e) == b = e /\ e = b /\ b = 7 /\ x = 12 /\ x' = 13 /\ seen' = seen \cup {e} /\ UNCHANGED y
(* Beyond the end, and before the begin. *)
Outside(b) == b = N + 1 /\ x' = 100 /\ UNCHANGED <<y, seen>>
Before(b) == 0 = b /\ x' = 100 /\ UNCHANGED <<y, seen>>
Named(s) == s = Name[1 + (x % 4)] /\ seen' = {s} /\ x = 13 /\ x' = 14 /\ UNCHANGED y
Other(b, s) == x = 14 /\ b = 2 /\ seen' = {b} /\ x' = 15 /\ y' = 0 /\ s = "a"

Next == \/ \E b, e \in 1..N : Range(<<b, e>>)
        \/ \E b, e \in {7, 9, 11} : Both(b, e)
        \/ \E b \in 1..N : Outside(b) \/ FALSE
        \/ \E b \in 1..N : Before(b)
        \/ \E s \in Names : Named(s)
        \/ \E b \in {1, 2, 3}, s \in Names : Other(b, s)

(* Only the first disjunct of those with y leaves it as it is. *)
Step == \/ \E b, e \in 1..N : x' = b * e /\ y' = y + e /\ UNCHANGED <<x, seen>>
        \/ \E n \in 1..20 : x' = n /\ x' = x + 1
Allowed == [][Step]_x
NotY == [][\E n \in 1..20 : x' = n /\ UNCHANGED y]_x
=============================================================================
