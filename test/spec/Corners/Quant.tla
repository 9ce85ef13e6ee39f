---- MODULE Quant ----
\* Temporal formulas under quantifiers over several sets.
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == (x' = (x + 1) % 2 /\ y' = y) \/ (y' = (y + 1) % 2 /\ x' = x)
Spec == Init /\ [][Next]_<<x, y>> /\ \A i \in {0, 1}, j \in {0, 1}, v \in {1, 2} : WF_<<x, y>>(x = i /\ y = j /\ v = 1 /\ Next)
All == \A i, j \in {0, 1}, k \in {5} : k = 5 => []<>(x + y = i + j) \/ i = j
Some == \E i \in {0, 1}, j \in {7, 8} : j = 7 /\ <>[](x = i)
====
