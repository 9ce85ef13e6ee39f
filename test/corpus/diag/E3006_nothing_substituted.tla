---- MODULE E3006_nothing_substituted ----
---- MODULE Inner ----
CONSTANT c
====
I == INSTANCE Inner
====
