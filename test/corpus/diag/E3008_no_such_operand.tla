---- MODULE E3008_no_such_operand ----
Op == {1, 2}
Third == Op!3
====
