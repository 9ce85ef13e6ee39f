---- MODULE Sema ----
EXTENDS Naturals
VARIABLE x
Init == x = y
Next == x' = x + Foo(1)
Init == 3
Lev == x'' = 1
====
