----------------------------- MODULE Countless -----------------------------
(***************************************************************************)
(* Values that cannot be enumerated: a state with one is an error, but     *)
(* only when there is such a state.                                        *)
(***************************************************************************)
EXTENDS Integers
CONSTANT From
VARIABLES x, y

Huge == SUBSET SUBSET (1..40)

Init == x = 0 /\ y = 0
NoState == x' = Int /\ y' \in {1, 2} /\ 1.. y' \in SUBSET x' /\ y' = 3
Count == x < 3 /\ ENABLED (x' = Huge /\ UNCHANGED y) /\ x' = x + 1 /\ UNCHANGED y
Fails == x = From /\ x' = Huge /\ y' = 1
Next == NoState \/ Count \/ Fails \/ UNCHANGED <<x, y>>

InitAll == y = 0 /\ (x = 0 \/ x = [n \in Nat |-> n])
=============================================================================
