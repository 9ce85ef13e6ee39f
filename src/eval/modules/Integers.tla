------------------------------ MODULE Integers ------------------------------
(* The whole numbers: Naturals, their negatives, and the sign. *)
EXTENDS Naturals

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(a) ==
  <<a>>

-. a == 0 - a
Int  == Nat \cup {-n_ : n_ \in Nat}
=============================================================================
