---- MODULE E3002_module_twice ----
---- MODULE Inner ----
====
---- MODULE Inner ----
====
====
