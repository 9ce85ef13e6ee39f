---- MODULE Assum ----
EXTENDS Naturals, TLC
CONSTANT N
ASSUME PrintT("in assume")
ASSUME 1 = 2
ASSUME Named == N > 3
VARIABLE x
Init == x = 0
Next == x' = x
====
