---- MODULE Diff ----
EXTENDS Naturals
CONSTANT Last, Wrap
VARIABLES x, y, z
vars == <<x, y, z>>
Init == x = 0 /\ y = 0 /\ z = 0
Next == /\ x < Last \/ Wrap
        /\ x' = IF x = Last THEN 2 ELSE x + 1
        /\ y' = IF x % 2 = 0 THEN (y + 1) % 3 ELSE y
        /\ z' = z
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Short == x < 2
Long == x < 5
Later == <>(x > Last)
====
