---- MODULE Branches ----
\* Branches that assign different variables: what one has assigned is a condition later, what another has not is a choice.
EXTENDS Naturals
VARIABLES x, y, z
Init == x = 0 /\ y = 0 /\ z = 0
If == (IF x = 0 THEN x' = 1 /\ y' = 2 ELSE x' = 0) /\ y' \in {2, 3} /\ z' = z
Nested ==
    /\ IF y > 1 THEN IF x = 0 THEN z' = 1 ELSE x' = x /\ z' = 0 ELSE x' \in {0, 1}
    /\ x' \in {0, 1, 2}
    /\ z' \in {0, 1}
    /\ y' = y
Case ==
    /\ CASE x = 0 -> y' = 4 [] x = 1 -> z' = 1 [] OTHER -> x' = 0 /\ y' = 0
    /\ y' \in {0, 4}
    /\ x' \in {0, x}
    /\ z' \in {z, 1}
Next == If \/ Nested \/ Case
====
