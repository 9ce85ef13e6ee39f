---- MODULE E4001_function_of_two ----
f[x, y \in {1, 2}] == x
Op == f[1, 2, 3]
====
