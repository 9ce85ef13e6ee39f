---------------------------- MODULE SymmetryLate ----------------------------
(***************************************************************************)
(* Pairs that no short walk meets: when the first comes, the types know one *)
(* of three values that SYMMETRY exchanges, and a canonical state has others. *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANT Server

VARIABLES x, pairs, mark

Init == x = 0 /\ pairs = {} /\ mark \in Server

Wait == x < 300 /\ x' = x + 1 /\ UNCHANGED <<pairs, mark>>
Add == /\ x \in 300 .. 303
       /\ \E s \in Server \ {mark} : pairs' = pairs \cup {<<s, x - 300>>}
       /\ x' = x + 1
       /\ \E s \in Server : mark' = s
Next == Wait \/ Add

Few == Cardinality(pairs) < 5
Sym == Permutations(Server)
=============================================================================
