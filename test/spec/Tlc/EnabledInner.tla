---- MODULE EnabledInner ----
\* What ENABLED means in a module whose two variables one variable replaces.
EXTENDS Naturals
VARIABLES a, b
Step == a' = a /\ b' = b + 1
Can(act) == ENABLED act
Direct == ENABLED Step
Passed == Can(Step)
====
