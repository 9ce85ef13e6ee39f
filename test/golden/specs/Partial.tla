---- MODULE Partial ----
\* States that lack a variable; an invariant that fails on a later successor, too.
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
InitHalf == x = 0
Step(i) == x' = x + i
Next == \E i \in 1..2 : Step(i)
Unnamed == Init /\ [][x' = x + 1 /\ x < 3]_<<x, y>>
Both == x < 3 /\ x' \in {x + 1, x + 2} /\ y' = IF x = 0 THEN 1 ELSE "one"
Wrong == y < 2
====
