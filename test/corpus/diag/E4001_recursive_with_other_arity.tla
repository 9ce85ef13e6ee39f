---- MODULE E4001_recursive_with_other_arity ----
RECURSIVE Down(_, _)
Down(n) == n
====
