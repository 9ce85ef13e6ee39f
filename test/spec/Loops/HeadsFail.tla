----------------------------- MODULE HeadsFail -----------------------------
(* A round that is left out must not be one that fails: f[3] does not exist. *)
EXTENDS Integers
VARIABLE x
f == <<1, 1>>
Init == x = 0
Next == \/ x < 3 /\ x' = x + 1
        \/ \E k \in 1..3 : f[k] = 1 /\ x = 7 /\ x' = 0
=============================================================================
