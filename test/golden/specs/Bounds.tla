---- MODULE Bounds ----
(* The actions as they stand, where the bound of one cannot be known before the search; and two places of one name. *)
EXTENDS TLC, Naturals
VARIABLE x
Init == x = 1
A(i) == x < 4 /\ x' = x + i
B == x = 4 /\ x' = 1
C == x = 2 /\ x' = 3
Next == (\E i \in 1..x : A(i)) \/ B \/ C
Walk == A(1) \/ B \/ C \/ A(2) \/ B
Post == PrintT(TLCGet("spec").actions)
Inv == PrintT(TLCGet("stats").behavior.actions)
====
