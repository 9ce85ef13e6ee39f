---- MODULE E3008_no_such_label ----
Op == here :: {1, 2}
There == Op!there
====
