------------------------------- MODULE Angle -------------------------------
(* [A]_v and <<A>>_v where they are values: in constraints, guards and     *)
(* properties.                                                              *)
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>

Init == x = 0 /\ y = 0

Step == \/ x' = (x + 1) % 4 /\ y' \in {y, 1 - y}
        \/ x' = x /\ y' = 1 - y
        \/ UNCHANGED vars

Changes == <<x' # 2>>_x
SameY == [y' = y]_x
ChangesOrTwo == <<x' # 2>>_x \/ y' = y
Spec == Init /\ [][Step]_vars

Guarded == Step /\ <<y' = y \/ x' = 3>>_vars
GuardedBox == Step /\ [x' > x]_y
SpecGuarded == Init /\ [][Guarded]_vars
SpecGuardedBox == Init /\ [][GuardedBox]_vars

AnyStep == [][<<TRUE>>_x \/ y' # y]_vars
KeepsY == [][<<y' = y>>_x]_vars
BoxX == [][[y' # y]_x]_vars
InX == [][[x' = (x + 1) % 4]_x]_vars
=============================================================================
