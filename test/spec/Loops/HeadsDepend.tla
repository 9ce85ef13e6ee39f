---------------------------- MODULE HeadsDepend ----------------------------
(* Conditions that do need the variable: directly, through definitions, closures, operators as arguments and calls. *)
EXTENDS Integers, Sequences, FiniteSets
VARIABLE x
Apply(F(_), v) == F(v)
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
Init == x = 0
Go(k) == x' = k /\ x < 3
Next ==
    \/ \E k \in 1..4 : k = 2 /\ Go(k)
    \/ \E k \in 1..4 : LET m == k + 1 IN m = 4 /\ Go(m)
    \/ \E k \in 1..4 : Apply(LAMBDA v : v + k, 0) = 3 /\ Go(k + 2)
    \/ \E k \in 1..4 : Cardinality({v \in 1..4 : v > k}) = 1 /\ Go(k + 3)
    \/ \E k \in 1..4 : [v \in 1..4 |-> v * k][2] = 6 /\ Go(k + 5)
    \/ \E k \in 1..4 : Sum(k) = 6 /\ Go(k + 6)
    \/ \E k, j \in 1..4 : j = 2 /\ k = 3 /\ Go(k + j + 5)
    \/ \E k, j \in 1..4 : k = 3 /\ j = 2 /\ Go(k + j + 6)
    \/ \E k \in {1, 2} : \E j \in {k, 5} : ENABLED (x' = j /\ j = 5) /\ Go(j + k + 7)
Inv == \A k \in 1..4 : (k = 4 /\ x = 3) => \E j \in 1..4 : j = k
=============================================================================
