---- MODULE ParIn ----
EXTENDS Naturals
VARIABLE z
D(w) == z > 5 /\ z' = z + w
====
