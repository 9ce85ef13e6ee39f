---- MODULE E2006_junction ----
A == /\ (x
  )
====
