---- MODULE Chosen ----
EXTENDS TLC, FiniteSets
CONSTANT P
VARIABLE x
Perms == Permutations(P)
Init == x = {}
Next == \E p \in P : /\ p \notin x
                     /\ x' = x \cup {CHOOSE q \in P : q \notin x}
====
