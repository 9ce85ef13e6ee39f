---- MODULE E4011_temporal_in_set ----
VARIABLE x
Op == {[](x = 1)}
====
