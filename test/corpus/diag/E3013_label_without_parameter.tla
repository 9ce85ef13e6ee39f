---- MODULE E3013_label_without_parameter ----
Op == \A x \in {1, 2} : here :: x = x
====
