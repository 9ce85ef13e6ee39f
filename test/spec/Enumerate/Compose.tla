---- MODULE Compose ----
\* Action composition: the states in between count as generated.
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Add == x < 3 /\ x' \in {x + 1, x + 2} /\ y' = y
Halve == y' = x \div 2 /\ x' = x
Next == Add \cdot Halve
====
