---- MODULE Words ----
Dep == {"dep", "other"}
====
