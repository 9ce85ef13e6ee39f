------------------------------- MODULE Once --------------------------------
(* What a step prints is printed when it is taken, and not when a dump asks for its label. *)
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Step == x < 2 /\ PrintT(<<"step", x>>) /\ x' = x + 1
Back == x = 2 /\ x' = 0
Next == Step \/ Back
=============================================================================
