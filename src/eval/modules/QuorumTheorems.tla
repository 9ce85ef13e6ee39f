---------------------------- MODULE QuorumTheorems --------------------------
(* Facts about quorum systems that proofs cite. *)
EXTENDS Quorum, Integers, FiniteSets

THEOREM QuorumsIntersect == \A S : \A F \in QuorumSystem(S) : \A P, Q \in F : P \cap Q # {}
THEOREM QuorumSuperset == \A S : \A F \in QuorumSystem(S) : \A P \in F : \A Q \in SUBSET S : P \subseteq Q => Q \in F
THEOREM MajoritiesQuorumSystem ==
  \A S : IsFiniteSet(S) /\ S # {} =>
    {Q \in SUBSET S : Cardinality(S) < 2 * Cardinality(Q)} \in QuorumSystem(S)
=============================================================================
