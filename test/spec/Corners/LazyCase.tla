---- MODULE LazyCase ----
\* Sets that are not made before they are gone through, as branches: a union whose elements come twice, SUBSET, a set of functions.
EXTENDS Naturals
VARIABLES x, n
Init == x = {} /\ n = 0
Other == x' \in (CASE n = 7 -> {{1}} [] OTHER -> ((SUBSET {1, 2}) \cup {x}))
First == x' \in (CASE n = 1 -> (SUBSET {2, 3}) \cup {x} [] OTHER -> {{3}})
Chosen == x' \in (IF n = 0 THEN UNION {SUBSET {1}, {x}} ELSE (SUBSET {2}) \ {x})
Next == (Other \/ First \/ Chosen) /\ n' = (n + 1) % 2
====
