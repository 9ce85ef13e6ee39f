---- MODULE E4013_prime_for_operator_constant ----
---- MODULE Inner ----
CONSTANT F(_)
Op == F(1)
====
Later(e) == e'
I == INSTANCE Inner WITH F <- Later
====
