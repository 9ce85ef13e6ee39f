---- MODULE LateFilter ----
(* Bounds are looked at in the order in which they stand: a filter of the first one that fails is an error, although the second one is empty. *)
EXTENDS Naturals
VARIABLES x, b
Init == x = 0 /\ b = TRUE
Next == x < 3 /\ x' = x + 1 /\ b' = (x < 1)
Known == [i \in {0, 1, 3} |-> i > 0]
Inv == b \/ ~\E p \in {q \in {1, 2} \X {x} : Known[q[2]]}, y \in {z \in {1} : b} : p[1] = y
====
