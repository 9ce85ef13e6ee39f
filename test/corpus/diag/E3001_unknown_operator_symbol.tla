---- MODULE E3001_unknown_operator_symbol ----
Two == 1 + 1
====
