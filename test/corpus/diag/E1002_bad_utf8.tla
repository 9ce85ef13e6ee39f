---- MODULE E1002_bad_utf8 ----
A == ÿ 1
====
