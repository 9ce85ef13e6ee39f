------------------------------ MODULE Integers ------------------------------
(* The whole numbers: Naturals, their negatives, and the sign. *)
EXTENDS Naturals

-. a == 0 - a
Int  == Nat \cup {-n : n \in Nat}
=============================================================================
