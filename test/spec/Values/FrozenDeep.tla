----------------------------- MODULE FrozenDeep -----------------------------
(* A constant that is a function made of operators which recursion made.   *)
EXTENDS Naturals
VARIABLE x

RECURSIVE Times(_, _)
Times(F(_), n) == IF n = 0 THEN [k \in Nat |-> F(k)] ELSE Times(LAMBDA k : F(k) + n, n - 1)
Deep == Times(LAMBDA k : 2 * k, 3)

Init == x = 0
Next == x < 40 /\ x' = Deep[x]
Inv == Deep[x] = 2 * x + 6
=============================================================================
