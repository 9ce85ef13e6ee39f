---- MODULE E3002_builtin_redefined ----
a \cup b == {a, b}
====
