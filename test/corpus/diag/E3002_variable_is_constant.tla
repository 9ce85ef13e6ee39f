---- MODULE E3002_variable_is_constant ----
CONSTANT n
VARIABLE n
====
