---- MODULE W6001_imported_twice ----
---- MODULE Inner ----
CONSTANT c
Op == c
====
Op == 1
INSTANCE Inner WITH c <- 2
====
