---- MODULE Taut ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Spec == Init /\ [][Next]_x
P == \A i \in {} : <>(x = i)
Q == []<>TRUE
R == <>[]TRUE
====
