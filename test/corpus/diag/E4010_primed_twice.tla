---- MODULE E4010_primed_twice ----
VARIABLE x
Next == x'' = x
====
