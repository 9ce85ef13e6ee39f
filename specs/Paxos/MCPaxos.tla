------------------------------ MODULE MCPaxos ------------------------------
(***************************************************************************)
(* Paxos with values for its constants: all majorities are quorums.        *)
(***************************************************************************)
EXTENDS Paxos, FiniteSets, TLC

CONSTANT MaxBallot

MCBallot == 0 .. MaxBallot
MCQuorum == {Q \in SUBSET Acceptor : 2 * Cardinality(Q) > Cardinality(Acceptor)}
Symmetry == Permutations(Acceptor) \cup Permutations(Value)
=============================================================================
