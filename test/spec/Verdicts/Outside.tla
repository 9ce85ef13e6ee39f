---- MODULE Outside ----
(* Invariants are looked at in states that the constraint leaves out, too. *)
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x' = x + 1 /\ UNCHANGED y
        \/ y' = (y + 1) % 2 /\ UNCHANGED x
Small == x < 3
Low == x # 3
====
