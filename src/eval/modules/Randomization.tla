--------------------------- MODULE Randomization ----------------------------
(* Random subsets; reproducible with the seed of the run. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(k, S, T, n, i) ==
  <<k, S, T, n, i>>

LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

(* A subset of S with k elements. *)
RandomSubset(k, S) == CHOOSE T \in SUBSET S : Cardinality(T) = k

(* At most k subsets of S; each element of S is in each of them with probability n / Cardinality(S). *)
RandomSetOfSubsets(k, n, S) ==
  CHOOSE T \in SUBSET SUBSET S : Cardinality(T) \leq k /\ n \leq Cardinality(S)

(* How many different subsets five such choices give. *)
TestRandomSetOfSubsets(k, n, S) ==
  [round_ \in 1 .. 5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
=============================================================================
