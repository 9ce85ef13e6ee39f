---- MODULE E3001_unknown_name ----
VARIABLE counter
Init == countr = 0
====
