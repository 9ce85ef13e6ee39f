---- MODULE Naturals ----
a + b == b
====
