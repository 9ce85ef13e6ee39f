---- MODULE E4014_temporal_bound ----
VARIABLE x
Op == \A y \in [](x = 1) : y = y
====
