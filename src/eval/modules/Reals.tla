-------------------------------- MODULE Reals -------------------------------
(* The real numbers. No value other than an integer can be computed: specifications that use them are checked with
   Real replaced in the configuration, or only parsed. *)
EXTENDS Integers

Real     == CHOOSE R : Int \subseteq R
a / b    == CHOOSE q \in Real : b * q = a
Infinity == CHOOSE i : i \notin Real /\ \A r \in Real : r < i
=============================================================================
