--------------------------- MODULE Randomization ----------------------------
(* Random subsets; reproducible with the seed of the run. *)

LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

(* A subset of S with k elements. *)
RandomSubset(k, S) == CHOOSE T \in SUBSET S : Cardinality(T) = k

(* At most k subsets of S; each element of S is in each of them with probability n / Cardinality(S). *)
RandomSetOfSubsets(k, n, S) ==
  CHOOSE T \in SUBSET SUBSET S : Cardinality(T) \leq k

(* How many different subsets five such choices give. *)
TestRandomSetOfSubsets(k, n, S) ==
  [round \in 1 .. 5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
=============================================================================
