---- MODULE Cycle ----
(* Goes round: x = 0, 1, 2, 0, ... *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Step == x' = (x + 1) % 3
Spec == Init /\ [][Step]_x /\ WF_x(Step)
Settles == <>[](x = 0)
AlwaysAgain == []<>(x = 0)
Leads == x = 1 ~> x = 2
====
