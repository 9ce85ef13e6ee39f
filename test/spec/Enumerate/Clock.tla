---- MODULE Clock ----
EXTENDS Naturals
CONSTANT Limit
VARIABLES now, rung
Init == now = 0 /\ rung = FALSE
Tick == now < Limit /\ now' = now + 1 /\ UNCHANGED rung
Ring == now = Limit /\ rung' = TRUE /\ UNCHANGED now
Next == Tick \/ Ring
Spec == Init /\ [][Next]_<<now, rung>> /\ WF_<<now, rung>>(Tick) /\ WF_<<now, rung>>(Ring)
====
