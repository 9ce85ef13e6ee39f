------------------------------ MODULE GraphViz ------------------------------
(* The graph G = [node, edge] as DOT text; VL and EL give the labels of nodes and of edges <<m, n>>. *)
DotDiGraph(G, VL(_), EL(_)) ==
  CHOOSE text \in STRING : TRUE
=============================================================================
