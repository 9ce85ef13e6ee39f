---- MODULE Steered ----
\* An action constraint reads what else nothing reads: it is not auxiliary then.
EXTENDS Naturals
VARIABLES x, h, log
Init == x = 0 /\ h = 0 /\ log = 0
Next == x < 5 /\ x' = x + 1 /\ h' \in {0, 1} /\ log' = log + h
Inv == x < 5
Odd == x = 1 => h = 1
Never == x = 2 => h = 3
====
