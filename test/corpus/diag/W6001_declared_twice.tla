---- MODULE W6001_declared_twice ----
CONSTANT n
CONSTANT n
====
