---- MODULE NoMod ----
EXTENDS Nowhere
VARIABLE x
Init == x = 1
Next == x' = x
====
