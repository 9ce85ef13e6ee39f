---- MODULE LongAction ----
\* More conjuncts than an action usually has; the first two and the last matter.
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Step ==
    /\ y < 2
    /\ x < 6
    /\ x /= 21
    /\ x /= 22
    /\ x /= 23
    /\ x /= 24
    /\ x /= 25
    /\ x /= 26
    /\ x /= 27
    /\ x /= 28
    /\ x /= 29
    /\ x /= 30
    /\ x /= 31
    /\ x /= 32
    /\ x /= 33
    /\ x /= 34
    /\ x /= 35
    /\ x /= 36
    /\ x /= 38
    /\ x' = x + 1
    /\ x /= 37
    /\ y' \in {y, y + 1}
    /\ x' + y' /= 5
Back == y = 2 /\ x > 0 /\ x' = x - 1 /\ y' = 0
Next == Step \/ Back
Inv == x < 7
====
