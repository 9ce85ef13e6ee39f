-------------------------------- MODULE Reals -------------------------------
(* The real numbers. No value other than an integer can be computed: specifications that use them are checked with
   Real replaced in the configuration, or only parsed. *)
EXTENDS Integers

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(a, b, m, i, r) ==
  <<a, b, m, i, r>>

Real     == CHOOSE R_ : Int \subseteq R_
a / b    == CHOOSE q_ \in Real : b * q_ = a
Infinity == CHOOSE i : i \notin Real /\ \A r \in Real : r < i
=============================================================================
