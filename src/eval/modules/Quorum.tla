------------------------------- MODULE Quorum -------------------------------
(* Quorum systems over S: non-empty families of subsets that meet pairwise and are closed under supersets. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(S, QS, Q1, Q2) ==
  <<S, QS, Q1, Q2>>

QuorumSystem(S) ==
  {F_ \in SUBSET SUBSET S :
     /\ F_ # {}
     /\ \A P_, Q_ \in F_ : \E x_ \in P_ : x_ \in Q_
     /\ \A P_ \in F_, Q_ \in SUBSET S : P_ \subseteq Q_ => Q_ \in F_}
=============================================================================
