---------------------------- MODULE Modules ----------------------------
(* The scope of the expressions in modules.t: modules that `assay eval` does not extend by itself. *)
EXTENDS Integers, Sequences, FiniteSets, TLC, Bags, BagsExt, Bitwise, Relation, Combinatorics, Folds, DyadicRationals, UndirectedGraphs
=========================================================================
