---------------------------- MODULE GraphTheorems ---------------------------
(* Facts about graphs that proofs cite. *)
EXTENDS Graphs, Sequences

THEOREM TransposeIsDirectedGraph == \A G : IsDirectedGraph(G) => IsDirectedGraph(Transpose(G))
THEOREM TransposeTranspose == \A G : IsDirectedGraph(G) => G = Transpose(Transpose(G))
THEOREM AreConnectedInTranspose ==
  \A G : IsDirectedGraph(G) => \A m, n \in G.node : AreConnectedIn(m, n, G) <=> AreConnectedIn(n, m, Transpose(G))
THEOREM ConnectedReflexive == \A G : \A n \in G.node : AreConnectedIn(n, n, G)
THEOREM ConnectedTransitive ==
  \A G : \A k, m, n \in G.node : AreConnectedIn(k, m, G) /\ AreConnectedIn(m, n, G) => AreConnectedIn(k, n, G)
=============================================================================
