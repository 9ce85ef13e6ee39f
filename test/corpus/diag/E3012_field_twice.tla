---- MODULE E3012_field_twice ----
Op == [a |-> 1, b |-> 2, a |-> 3]
====
