------------------------------- MODULE Partial -------------------------------
(* What stays as it is must have a value: it has none yet where ENABLED is asked. *)
VARIABLES x, y
OneStays == UNCHANGED y /\ x' = 1
BothStay == UNCHANGED <<x, y>>
InitOne == x = 0 /\ ENABLED OneStays /\ y = 0
InitBoth == x = 0 /\ ENABLED BothStay /\ y = 0
InitLate == x = 0 /\ y = 0 /\ ENABLED BothStay /\ ENABLED OneStays
Next == UNCHANGED <<x, y>>
=============================================================================
