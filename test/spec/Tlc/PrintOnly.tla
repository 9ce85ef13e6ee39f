---- MODULE PrintOnly ----
EXTENDS TLC, Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x /\ PrintT(<<"n", x'>>)
Inv == PrintT(x)
Inv2 == PrintT(x) /\ x < 5
C == TLCSet(1, x)
AC == PrintT(x')
====
