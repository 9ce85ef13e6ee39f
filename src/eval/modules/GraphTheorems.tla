---------------------------- MODULE GraphTheorems ---------------------------
(* Facts about graphs that proofs cite. *)
EXTENDS Graphs, Sequences

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(G, PathTranspose, p, TransposePath, SimplePathTranspose, TransposeSimplePath, m, n,
                TransposeAreConnectedIn, IsStronglyConnectedTranspose, TransposeIsStronglyConnected, PathConcatenation,
                q, SubPath, i, j, ExistsPathIffExistsSimplePath, node, a, b, c, TreeAcyclic, r, S, e, edge,
                TreeIrreflexive, TreeSimplePath, TreeConnectedAntisymmetric, SingletonIsTreeWithRoot, AttachTree, H, s,
                AddLeafToTree, leaf, parent, RemoveSubtree, nd, T, E, RemoveLeafFromTree,
                SingletonIsTransposedTreeWithRoot, AttachTransposedTree, AddLeafToTransposedTree,
                RemoveTransposedSubtree, RemoveLeafFromTransposedTree) ==
  <<G, PathTranspose, p, TransposePath, SimplePathTranspose, TransposeSimplePath, m, n, TransposeAreConnectedIn,
    IsStronglyConnectedTranspose, TransposeIsStronglyConnected, PathConcatenation, q, SubPath, i, j,
    ExistsPathIffExistsSimplePath, node, a, b, c, TreeAcyclic, r, S, e, edge, TreeIrreflexive, TreeSimplePath,
    TreeConnectedAntisymmetric, SingletonIsTreeWithRoot, AttachTree, H, s, AddLeafToTree, leaf, parent,
    RemoveSubtree, nd, T, E, RemoveLeafFromTree, SingletonIsTransposedTreeWithRoot, AttachTransposedTree,
    AddLeafToTransposedTree, RemoveTransposedSubtree, RemoveLeafFromTransposedTree>>

THEOREM TransposeIsDirectedGraph == \A G : IsDirectedGraph(G) => IsDirectedGraph(Transpose(G))
THEOREM TransposeTranspose == \A G : IsDirectedGraph(G) => G = Transpose(Transpose(G))
THEOREM AreConnectedInTranspose ==
  \A G : IsDirectedGraph(G) => \A m, n \in G.node : AreConnectedIn(m, n, G) <=> AreConnectedIn(n, m, Transpose(G))
THEOREM ConnectedReflexive == \A G : \A n \in G.node : AreConnectedIn(n, n, G)
THEOREM ConnectedTransitive ==
  \A G : \A k_, m, n \in G.node : AreConnectedIn(k_, m, G) /\ AreConnectedIn(m, n, G) => AreConnectedIn(k_, n, G)
=============================================================================
