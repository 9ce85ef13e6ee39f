---- MODULE E4015_leads_to_action ----
VARIABLE x
Live == (x = 1) ~> (x' = 2)
====
