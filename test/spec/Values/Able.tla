-------------------------------- MODULE Able --------------------------------
(* ENABLED, as a value that changes from state to state.                   *)
EXTENDS Naturals
CONSTANT Max
VARIABLES x, y

Up == x < Max /\ x' = x + 1 /\ y' = y
Flip == y' = 1 - y /\ x' \in {x, x \div 2} /\ (x = Max => y = 0)
CanUp == ENABLED Up
CanFlip == ENABLED Flip
CanTo(n) == ENABLED (Up /\ x' = n)
CanBoth == ENABLED (Up /\ Flip)
Always == ENABLED (x' = 7)
Never == ENABLED (x' = 7 /\ x' = 8)
Const == ENABLED (Max > 1)
CanAngle == ENABLED <<Flip>>_x

Init == x = 0 /\ y = 0
Next == \/ CanUp /\ Up
        \/ ~CanUp /\ CanFlip /\ Flip
        \/ CanAngle /\ y' = 1 - y /\ x' = x
Inv == /\ CanUp = (x < Max)
       /\ CanFlip = (x # Max \/ y = 0)
       /\ \A n \in 0 .. Max + 1 : CanTo(n) = (x < Max /\ n = x + 1)
       /\ ~CanBoth
       /\ Always /\ ~Never
       /\ Const = (Max > 1)
       /\ CanAngle = (x > 0 /\ (x # Max \/ y = 0))
Stuck == CanUp \/ CanFlip
=============================================================================
