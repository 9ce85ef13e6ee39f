---- MODULE GoOn ----
\* --continue: the search goes on behind states that violate the invariant, and counts them all.
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next ==
    \/ x = 0 /\ x' = 1 /\ y' = y
    \/ x = 1 /\ y < 3 /\ y' = y + 1 /\ x' = x
    \/ x = 1 /\ y = 3 /\ x' = 2 /\ y' = 0
Inv == x /= 1
====
