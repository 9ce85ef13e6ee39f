---- MODULE Forall ----
\* \A as an action, IF and CASE, LET with primes, operators that take actions, recursive actions.
EXTENDS Naturals, Sequences
VARIABLES a, b, c
Both(A, B) == A /\ B
RECURSIVE Pick(_)
Pick(n) == IF n = 0 THEN c' = 0 ELSE c' = n \/ Pick(n - 1)
Init == \A v \in {1} : /\ a = v - 1
                       /\ CASE a = 0 -> b = 0 [] OTHER -> b = 7
                       /\ IF b = 0 THEN c \in {0, 1} ELSE c = 5
Next == \/ /\ a < 2 /\ b < 3
           /\ Both(a' = a + 1, LET up == b' = b + 1 IN up)
           /\ \A i \in {1, 2, 3} : \/ c' = i
                                   \/ c' = 0
        \/ /\ b > 0 => a' = 0
           /\ b > 0
           /\ UNCHANGED b
           /\ Pick(2)
====
