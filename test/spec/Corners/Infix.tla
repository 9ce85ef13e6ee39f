-------------------------------- MODULE Infix --------------------------------
(* Operators between their arguments make the specification, its subscript *)
(* and the parts of its next-state relation.                                *)
EXTENDS Naturals
VARIABLES x, y
a ++ b == <<a, b>>
init ## next == init /\ [][next]_(x ++ y)
a || b == a \/ b
a && b == a /\ b
Init == (x = 0) && (y = 0)
Step(n) == (x + n < 5) && (x' = x + n) && (y' = n)
Next == Step(1) || Step(2) || ((x = 4) && UNCHANGED <<x, y>>)
Spec == Init ## Next
NeverThree == x # 3
=============================================================================
