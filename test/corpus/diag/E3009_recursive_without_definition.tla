---- MODULE E3009_recursive_without_definition ----
RECURSIVE Down(_)
====
