----------------------------- MODULE HeadsPrint -----------------------------
(* Nor one that prints. *)
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == \/ x = 0 /\ x' = 1
        \/ \E k \in 1..3 : PrintT(<<"round", k>>) /\ x = 7 /\ x' = 0
=============================================================================
