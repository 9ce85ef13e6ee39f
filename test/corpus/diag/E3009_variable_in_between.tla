---- MODULE E3009_variable_in_between ----
RECURSIVE Down(_)
VARIABLE x
Down(n) == IF n = {} THEN {} ELSE Down({})
====
