---- MODULE E4015_box_of_action ----
VARIABLE x
Next == x' = x
Spec == []Next
====
