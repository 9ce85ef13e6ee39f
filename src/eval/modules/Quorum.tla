------------------------------- MODULE Quorum -------------------------------
(* Quorum systems over S: non-empty families of subsets that meet pairwise and are closed under supersets. *)
QuorumSystem(S) ==
  {F \in SUBSET SUBSET S :
     /\ F # {}
     /\ \A P, Q \in F : \E x \in P : x \in Q
     /\ \A P \in F, Q \in SUBSET S : P \subseteq Q => Q \in F}
=============================================================================
