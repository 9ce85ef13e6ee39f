------------------------------ MODULE GraphViz ------------------------------
(* The graph G = [node, edge] as DOT text; VL and EL give the labels of nodes and of edges <<m, n>>. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(G, VL, EL) ==
  <<G, VL, EL>>

DotDiGraph(G, VL(_), EL(_)) ==
  CHOOSE text_ \in STRING : \A n_ \in G.node, e_ \in G.edge : <<VL(n_), EL(e_)>> = <<VL(n_), EL(e_)>>
=============================================================================
