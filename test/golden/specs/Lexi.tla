---- MODULE Lexi ----
VARIABLE x
Init == x = "abc
Next == x' = x ? 3
====
