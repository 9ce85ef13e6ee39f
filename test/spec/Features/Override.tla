----------------------------- MODULE Override -----------------------------
(* Definitions replaced by the configuration, in this module and in another. *)
EXTENDS Naturals, Sequences, Buffer
VARIABLE n
Grow(m) == m + 1
Slow(m) == m
Big == 1000000
Small == 3
Init == n = 0 /\ BufInit
Next == n' = Grow(n) % Big /\ UNCHANGED items
Inv == n < Big
ConstWeight(e) == 1
=============================================================================
