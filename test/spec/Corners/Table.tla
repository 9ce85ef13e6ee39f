---- MODULE Table ----
\* Operators that the configuration gives as tables of values.
EXTENDS Naturals
CONSTANTS F(_), G(_, _), a, b
VARIABLE x
Init == x = 0
Next == x' = F(x) \/ (x = 2 /\ G(a, x) = b /\ x' = G(b, 1))
====
