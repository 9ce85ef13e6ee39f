---- MODULE E3005_substituted_definition ----
---- MODULE Inner ----
CONSTANT c
Op == c
====
I == INSTANCE Inner WITH c <- 1, Op <- 2
====
