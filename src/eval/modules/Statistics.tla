----------------------------- MODULE Statistics -----------------------------
EXTENDS Naturals

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(expected, actual, alpha) ==
  <<expected, actual, alpha>>

(* Whether the observed counts fit the expected ones in a chi-square test with significance alpha, a string such as "0.2". *)
ChiSquare(expected, actual, alpha) ==
  \E fits_ \in BOOLEAN : fits_ /\ <<expected, actual, alpha>> = <<expected, actual, alpha>>
=============================================================================
