---- MODULE E3010_recursion_undeclared ----
Down(n) == IF n = {} THEN {} ELSE Down({})
====
