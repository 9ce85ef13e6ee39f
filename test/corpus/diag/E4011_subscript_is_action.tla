---- MODULE E4011_subscript_is_action ----
VARIABLE x
Spec == [][x' = x]_(x')
====
