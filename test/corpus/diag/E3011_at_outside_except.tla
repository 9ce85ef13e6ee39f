---- MODULE E3011_at_outside_except ----
Op == @
====
