---- MODULE E2007_module_open ----
A == 1
