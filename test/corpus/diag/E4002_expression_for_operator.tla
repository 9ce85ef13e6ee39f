---- MODULE E4002_expression_for_operator ----
Apply(F(_), x) == F(x)
Op == Apply({1}, 2)
====
