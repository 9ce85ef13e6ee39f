---- MODULE E4001_no_arguments ----
Pair(a, b) == <<a, b>>
Op == {Pair}
====
