-------------------------- MODULE UndirectedGraphs --------------------------
(* Undirected graphs: [node |-> a set, edge |-> a set of sets {m, n}]; {m} is a loop. *)

LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Folds
LOCAL INSTANCE Functions

LOCAL IsGraphRecord(G) == G = [node |-> G.node, edge |-> G.edge]

IsUndirectedGraph(G) ==
  IsGraphRecord(G) /\ \A e \in G.edge : \E m, n \in G.node : {m, n} = e
IsLoopFreeUndirectedGraph(G) ==
  IsGraphRecord(G) /\ \A e \in G.edge : \E m, n \in G.node : {m, n} = e /\ m # n

UndirectedSubgraph(G) ==
  {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}

(* Non-empty sequences of nodes along edges; those without repetition. *)
Path(G) ==
  {p \in Seq(G.node) : Len(p) > 0 /\ \A i \in 2 .. Len(p) : {p[i - 1], p[i]} \in G.edge}
SimplePath(G) ==
  LET lists == UNION {[1 .. n -> G.node] : n \in 1 .. Cardinality(G.node)}
  IN  {p \in lists : /\ \A i, j \in DOMAIN p : i # j => p[i] # p[j]
                     /\ \A i \in 2 .. Len(p) : {p[i - 1], p[i]} \in G.edge}

(* What can be reached from a node set, and from a single node. *)
LOCAL Reach(G, S) ==
  LET grow[k \in Nat] ==
        IF k = 0 THEN S
        ELSE LET T == grow[k - 1]
             IN  T \cup {n \in G.node : \E m \in T : {m, n} \in G.edge}
  IN  grow[Cardinality(G.node)]

AreConnectedIn(m, n, G) == m \in G.node /\ n \in G.node /\ n \in Reach(G, {m})

(* The largest sets of nodes that hang together. *)
ConnectedComponents(G) == {Reach(G, {n}) : n \in G.node}
IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}

(* All graphs with the node set S. *)
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{pair[1], pair[2]} : pair \in S \X S}]
=============================================================================
