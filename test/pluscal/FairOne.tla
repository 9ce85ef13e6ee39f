------------------------------- MODULE FairOne -------------------------------
EXTENDS Naturals, TLC
(* --fair algorithm FairOne {
variable n \in 0..2 ;
{ if (n > 0) { print n; n := n - 1 } ; assert n < 2
} }
*)
\* after
=============================================================================
