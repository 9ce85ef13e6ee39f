---- MODULE ComposeMore ----
\* Compositions of compositions, under ENABLED, and with a variable that has its next value already.
EXTENDS Naturals
VARIABLES n, set
Init == n = 0 /\ set = {1, 2}
Add(S) == \E k \in S : n' = n + k
Three == n = 0 /\ UNCHANGED set /\ (Add({1, 2}) \cdot Add({3, 4})) \cdot Add({5})
Right == n = 9 /\ UNCHANGED set /\ Add({1, 2}) \cdot (Add({3, 4}) \cdot Add({5}))
Lost == n = 10 /\ UNCHANGED set /\ (Add({1}) /\ set' = {}) \cdot Add({1})
Next == Three \/ Right \/ Lost
CanThree == n = 0 => ENABLED Three
CannotLose == ~ENABLED Lost
====
