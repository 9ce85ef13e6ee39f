---- MODULE Guards ----
\* How often TLC generates a state: once for each way in which the guards hold, as long as some variable has no value yet.
EXTENDS Naturals
VARIABLES x, y
Small(n) == n < 3 \/ n < 4
SomeFactor(n) == \E k \in 1..3 : n % k = 0
Weight == LET W[n \in 0..9] == \/ n = 0
                               \/ \E m \in 1..2 : n >= m /\ W[n - m]
          IN W[x]
Init == x \in 0..1 /\ y = 0 /\ (x = 0 \/ x < 2)
Step == /\ Small(x)
        /\ SomeFactor(x)
        /\ x' = x + 1
        /\ y' \in {y, x}
        /\ (y' = y \/ y' = x)
Weighed == /\ Weight
           /\ y < 2
           /\ y' = y + 1
           /\ UNCHANGED x
Next == Step \/ Weighed
====
