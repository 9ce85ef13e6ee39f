----------------------------- MODULE FoldAction -----------------------------
(* Recursive operators that get operators, as parts of actions: the operator uses what is bound around it, may assign, and may
   be another one in each call. *)
EXTENDS Naturals, Sequences
VARIABLES x, y

RECURSIVE Fold(_, _, _)
Fold(Op(_, _), base, seq) == IF seq = <<>> THEN base ELSE Fold(Op, Op(base, Head(seq)), Tail(seq))

RECURSIVE Each(_, _)
Each(Do(_), n) == IF n = 0 THEN FALSE ELSE Do(n) \/ Each(Do, n - 1)

RECURSIVE Until(_, _)
Until(Do(_), n) == IF n = 0 THEN Do(0) ELSE Until(LAMBDA k : Do(k + 1), n - 1)

Small(k) == k < 5
Plus(a, b) == a + b

Init == x = 0 /\ y = 0
Test == \E z \in 1..3 : /\ x < 3
                        /\ Fold(LAMBDA ok, k : ok /\ Small(k) /\ k # z, TRUE, <<1, 4>>)
                        /\ x' = Fold(Plus, x, <<1>>)
                        /\ y' = z
Assign == \E z \in 0..1 : x < 3 /\ Each(LAMBDA k : x' = x + k, 2) /\ Each(LAMBDA k : y' = z + k, 2)
Deeper == x < 3 /\ Until(LAMBDA k : x' = x + k, 2) /\ UNCHANGED y
=============================================================================
