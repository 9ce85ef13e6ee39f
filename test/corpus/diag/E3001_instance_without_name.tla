---- MODULE E3001_instance_without_name ----
---- MODULE Inner ----
Op == 1
====
I == INSTANCE Inner
Bad == I
====
