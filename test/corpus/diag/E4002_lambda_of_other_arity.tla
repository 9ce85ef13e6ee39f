---- MODULE E4002_lambda_of_other_arity ----
Apply(F(_), x) == F(x)
Op == Apply(LAMBDA a, b : a, 2)
====
