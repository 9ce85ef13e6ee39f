------------------------------- MODULE Graphs -------------------------------
(* Directed graphs: [node |-> a set, edge |-> a set of pairs <<from, to>>]. *)
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation

LOCAL IsGraphRecord(G) == G = [node |-> G.node, edge |-> G.edge]
LOCAL EdgeTable(G)     == [pair \in G.node \X G.node |-> <<pair[1], pair[2]>> \in G.edge]

EmptyGraph == [node |-> {}, edge |-> {}]

IsDirectedGraph(G) == IsGraphRecord(G) /\ G.edge \subseteq (G.node \X G.node)

DirectedSubgraph(G) ==
  {H \in [node : SUBSET G.node, edge : SUBSET (G.node \X G.node)] :
     H.edge \subseteq G.edge /\ IsDirectedGraph(H)}

(* Every edge turned round. *)
Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]

(* Undirected graphs seen as directed ones: with each edge also its reverse. *)
IsUndirectedGraph(G)  == IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge
UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}

-----------------------------------------------------------------------------
(* Non-empty sequences of nodes along edges; those without repetition. *)
Path(G) ==
  {p \in Seq(G.node) : Len(p) > 0 /\ \A i \in 2 .. Len(p) : <<p[i - 1], p[i]>> \in G.edge}
SimplePath(G) ==
  LET lists == UNION {[1 .. n -> G.node] : n \in 1 .. Cardinality(G.node)}
  IN  {p \in lists : IsInjective(p) /\ \A i \in 2 .. Len(p) : <<p[i - 1], p[i]>> \in G.edge}

(* For every pair of nodes whether a path (of any length, also of one node) leads from the first to the second. *)
ConnectionsIn(G) == ReflexiveTransitiveClosure(EdgeTable(G), G.node)

AreConnectedIn(m, n, G) ==
  m \in G.node /\ n \in G.node /\ ConnectionsIn(G)[m, n]
IsStronglyConnected(G) == \A m, n \in G.node : AreConnectedIn(m, n, G)

(* Edges lead to the root r: every other node has one parent, and a path to r. *)
IsTreeWithRoot(G, r) ==
  /\ IsDirectedGraph(G)
  /\ r \in G.node
  /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : f[1] = e[1] => f = e
  /\ \A n \in G.node : AreConnectedIn(n, r, G)

-----------------------------------------------------------------------------
GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]

(* U and V share nothing and hold all nodes; every edge goes from one to the other. *)
IsBipartiteWithPartitions(G, U, V) ==
  /\ U \cap V = {}
  /\ G.node \subseteq U \cup V
  /\ \A e \in G.edge : (e[1] \in U /\ e[2] \in V) \/ (e[1] \in V /\ e[2] \in U)

HasCycle(G) ==
  LET C == TransitiveClosure(EdgeTable(G), G.node)
  IN  \E n \in G.node : C[n, n]
IsDag(G) == IsDirectedGraph(G) /\ ~ HasCycle(G)

(* One step ahead or back, from a node or from any node of a set. *)
Successors(G, n)      == {m \in G.node : <<n, m>> \in G.edge}
Predecessors(G, n)    == {m \in G.node : <<m, n>> \in G.edge}
AllSuccessors(G, S)   == UNION {Successors(G, n) : n \in S}
AllPredecessors(G, S) == UNION {Predecessors(G, n) : n \in S}

(* One or more steps. *)
Descendants(G, n) == LET C == TransitiveClosure(EdgeTable(G), G.node) IN {m \in G.node : C[n, m]}
Ancestors(G, n)   == LET C == TransitiveClosure(EdgeTable(G), G.node) IN {m \in G.node : C[m, n]}

InDegree(G, n)  == Cardinality(Predecessors(G, n))
OutDegree(G, n) == Cardinality(Successors(G, n))
Roots(G)        == {n \in G.node : Predecessors(G, n) = {}}
Leaves(G)       == {n \in G.node : Successors(G, n) = {}}

(* All graphs with the node set S. *)
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]
=============================================================================
