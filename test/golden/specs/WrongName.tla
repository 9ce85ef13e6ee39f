---- MODULE OtherName ----
VARIABLE x
Init == x = 1
Next == x' = x
====
