---- MODULE E4003_operator_for_expression ----
Same(x) == x
Op == Same(Same)
====
