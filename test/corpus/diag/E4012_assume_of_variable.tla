---- MODULE E4012_assume_of_variable ----
VARIABLE x
ASSUME x = 1
====
