---- MODULE E4002_operator_of_other_arity ----
Apply(F(_), x) == F(x)
Pair(a, b) == <<a, b>>
Op == Apply(Pair, 2)
====
