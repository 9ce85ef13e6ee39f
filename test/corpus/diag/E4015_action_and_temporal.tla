---- MODULE E4015_action_and_temporal ----
VARIABLE x
Live == (x' = 1) /\ [](x = 2)
====
