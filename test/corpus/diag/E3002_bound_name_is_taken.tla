---- MODULE E3002_bound_name_is_taken ----
VARIABLE x
Inv == \A x \in {1, 2} : x = x
====
