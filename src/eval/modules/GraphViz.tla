------------------------------ MODULE GraphViz ------------------------------
(* The graph G = [node, edge] as DOT text; VL and EL give the labels of nodes and of edges <<m, n>>. *)
DotDiGraph(G, VL(_), EL(_)) ==
  CHOOSE text \in STRING : \A n \in G.node, e \in G.edge : <<VL(n), EL(e)>> = <<VL(n), EL(e)>>
=============================================================================
