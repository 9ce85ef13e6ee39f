---------------------------- MODULE QuorumTheorems --------------------------
(* Facts about quorum systems that proofs cite. *)
EXTENDS Quorum, Integers, FiniteSets

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(S, QS, Q1, Q2, s, Q) ==
  <<S, QS, Q1, Q2, s, Q>>

THEOREM QuorumsIntersect == \A S : \A F_ \in QuorumSystem(S) : \A P_, Q \in F_ : P_ \cap Q # {}
THEOREM QuorumSuperset == \A S : \A F_ \in QuorumSystem(S) : \A P_ \in F_ : \A Q \in SUBSET S : P_ \subseteq Q => Q \in F_
THEOREM MajoritiesQuorumSystem ==
  \A S : IsFiniteSet(S) /\ S # {} =>
    {Q \in SUBSET S : Cardinality(S) < 2 * Cardinality(Q)} \in QuorumSystem(S)
=============================================================================
