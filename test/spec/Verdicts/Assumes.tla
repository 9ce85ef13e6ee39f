----------------------------- MODULE Assumes -----------------------------
(* An assumption that does not hold. *)
EXTENDS Naturals
CONSTANT N
ASSUME N > 3
VARIABLE x
Init == x = 0
Next == x' = x
=============================================================================
