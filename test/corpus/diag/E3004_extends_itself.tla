---- MODULE E3004_extends_itself ----
EXTENDS E3004_extends_itself
====
