----------------------------- MODULE Statistics -----------------------------
EXTENDS Naturals

(* Whether the observed counts fit the expected ones in a chi-square test with significance alpha, a string such as "0.2". *)
ChiSquare(expected, actual, alpha) ==
  \E fits \in BOOLEAN : fits /\ <<expected, actual, alpha>> = <<expected, actual, alpha>>
=============================================================================
