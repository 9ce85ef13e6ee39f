---- MODULE Rooms ----
(* Formulas of several parts, with several ways on from each part: what is kept for ever, and what comes again. *)
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y \in {0, 1}
A == x' = (x + 1) % 4 /\ y' = y
B == y = 1 /\ x = 2 /\ y' = 0 /\ x' = x
Next == A \/ B
Spec == Init /\ [][Next]_<<x, y>> /\ WF_<<x, y>>(A)
P1 == (<>[](y = 1)) \/ []<>(x = 3 /\ y = 0)
P2 == []<>(x = 1) => ([]<>(x = 2) /\ <>[](y = 0))
P3 == (x = 0) ~> ((x = 2) \/ <>[](y = 1))
P4 == ([]<>(y = 0) \/ <>[](x = 0)) /\ ((x = 1) ~> (x = 0))
P5 == [](<>(x = 1) => <>((x = 2) /\ <>(x = 3))) /\ (<>[](y = 0) \/ <>[](y = 1))
P6 == <>(x = 2 /\ [](y = 0 => <>(x = 1 /\ y = 1)))
====
