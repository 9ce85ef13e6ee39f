---- MODULE E2001_unexpected ----
A == IF x THEN y
B == 1
====
