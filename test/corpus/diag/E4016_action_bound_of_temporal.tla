---- MODULE E4016_action_bound_of_temporal ----
VARIABLE x
Live == \A y \in {x'} : <>(x = y)
====
