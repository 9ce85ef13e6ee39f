---- MODULE E4003_lambda_for_expression ----
Same(x) == x
Op == Same(LAMBDA y : y)
====
