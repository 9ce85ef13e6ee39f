---- MODULE E4013_state_for_constant ----
---- MODULE Inner ----
CONSTANT c
VARIABLE v
Op == v = c
====
VARIABLES v, w
I == INSTANCE Inner WITH c <- w
====
