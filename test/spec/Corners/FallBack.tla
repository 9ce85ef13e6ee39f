---- MODULE FallBack ----
\* Of two states that are expanded together, the first leads to a violation, the second to a failure of evaluation.
EXTENDS Naturals
VARIABLE x
Init == x \in {1, 2}
Next == IF x = 1 THEN x' = 10 ELSE x' = (CHOOSE y \in {3} : y > x + 5)
Inv == x < 10
====
