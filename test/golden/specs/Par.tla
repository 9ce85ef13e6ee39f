---- MODULE Par ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = {}
A(i, j) == x' = x + i /\ y' = y \cup {<<i, j>>}
B(i) == \E k \in {5, 6} : x' = k /\ y' = {<<k, i>>}
C == \E k \in {7} : x' = k /\ y' = {}
I == INSTANCE ParIn WITH z <- x
Next == \/ \E i \in {1, 2}, j \in {"a"} : A(i, j)
        \/ \E i \in {3} : x > 2 /\ B(i)
        \/ x = 4 /\ C
        \/ \E q \in {9}: I!D(q) /\ y' = {<<q, q>>}
Inv == x < 9
====
