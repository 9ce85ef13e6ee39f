---- MODULE Sums ----
EXTENDS Naturals
VARIABLE x
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
RECURSIVE Step(_)
Step(n) == IF n = 0 THEN x' = x + 1 ELSE Step(n - 1)
====
