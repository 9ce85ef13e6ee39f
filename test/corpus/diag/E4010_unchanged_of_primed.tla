---- MODULE E4010_unchanged_of_primed ----
VARIABLE x
Next == UNCHANGED (x')
====
