---- MODULE E1003_string_open ----
A == "abc
====
