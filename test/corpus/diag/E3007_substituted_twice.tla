---- MODULE E3007_substituted_twice ----
---- MODULE Inner ----
CONSTANT c
====
I == INSTANCE Inner WITH c <- 1, c <- 2
====
