------------------------------ MODULE Translated ------------------------------
EXTENDS Integers
(* --algorithm Translated
variable x = 0
begin
A: x := x + 1;
end algorithm; *)
\* BEGIN TRANSLATION (checksum(PlusCal) = "123" /\ ChkSum(TLA+) \in STRING) more
what stood here before
\* END TRANSLATION
Inv == x < 2
=============================================================================
