---- MODULE E2004_precedence ----
A == p /\ q \/ r
====
