-------------------------------- MODULE Kept --------------------------------
(* An invariant over what does not change is evaluated once; one over what does is evaluated for each state. *)
EXTENDS Integers
CONSTANTS N, Bad
VARIABLES table, at, other
Init == table = [i \in 1..N |-> i % 7] /\ at = 2 /\ other = {}
Next == \/ at < 3000 /\ at' = at + 1 /\ UNCHANGED <<table, other>>
        \/ at = Bad /\ at' = at /\ other' = {at} /\ UNCHANGED table
        \/ at = Bad + 1 /\ at' = at /\ other' = {} /\ table' = [table EXCEPT ![1] = 9]
Sorted == \A i, j \in 1..N : table[i] + table[j] < 14
Inv == /\ at >= 0
       /\ Sorted
       /\ other = {}
Bounded == /\ \A i, j \in 1..N : table[i] + table[j] < 18
           /\ at < 2000
=============================================================================
