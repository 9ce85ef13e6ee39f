---- MODULE SymmetryZero ----
(* States of two words, each a value that is permuted: one state's layout is all zeros, and so is its hash. *)
EXTENDS TLC
CONSTANTS Server
VARIABLES vote, leader
Init == vote \in Server /\ leader \in Server
Next == \/ \E s \in Server : vote' = s /\ UNCHANGED leader
        \/ vote' = leader /\ UNCHANGED leader
Sym == Permutations(Server)
====
