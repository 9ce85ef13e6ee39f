---- MODULE E1007_bad_escape ----
A == "a\qb"
====
