---- MODULE AssumePrint ----
EXTENDS TLC, Naturals
VARIABLE x
ASSUME PrintT(x)
Init == x = 0
Next == x' = 1 - x
====
