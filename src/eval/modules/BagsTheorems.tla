---------------------------- MODULE BagsTheorems ----------------------------
(* Bags made from bags and sequences, and facts about bags that proofs cite. *)
EXTENDS Bags

LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

(* n times as many copies. *)
Scaling(n, B) == IF n > 0 THEN [e \in DOMAIN B |-> B[e] * n] ELSE EmptyBag
SeqToBag(seq) ==
  [x \in {seq[i] : i \in DOMAIN seq} |-> Cardinality({i \in DOMAIN seq : x = seq[i]})]

THEOREM Bags_EmptyBag ==
  \A B : IsABag(B) => IsABag(EmptyBag) /\ EmptyBag \sqsubseteq B /\ (DOMAIN B = {} <=> B = EmptyBag)
THEOREM Bags_UnionCommutative == \A A, B : IsABag(A) /\ IsABag(B) => B (+) A = A (+) B
THEOREM Bags_UnionAssociative ==
  \A A, B, C : IsABag(A) /\ IsABag(B) /\ IsABag(C) => A (+) (B (+) C) = (A (+) B) (+) C
THEOREM Bags_Inverse == \A S : BagToSet(SetToBag(S)) = S
THEOREM Bags_Inverse1 == \A B : IsABag(B) => SetToBag(BagToSet(B)) \sqsubseteq B
THEOREM Bags_SetToBagIsABag == \A S : IsABag(SetToBag(S))
=============================================================================
