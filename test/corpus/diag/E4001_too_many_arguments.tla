---- MODULE E4001_too_many_arguments ----
Pair(a, b) == <<a, b>>
Op == Pair(1, 2, 3)
====
