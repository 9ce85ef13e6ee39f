---- MODULE E1001_bad_char ----
A == 1 ? 2
====
