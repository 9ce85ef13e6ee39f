---- MODULE E3002_defined_twice ----
Op == 1
Op == 2
====
