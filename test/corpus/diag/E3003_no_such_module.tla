---- MODULE E3003_no_such_module ----
EXTENDS NoSuchModule
====
