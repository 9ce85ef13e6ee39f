------------------------ MODULE FiniteSetsExtTheorems -----------------------
(* Facts about folds and extremes of sets that proofs cite. *)
EXTENDS FiniteSetsExt, FiniteSets, Integers

THEOREM FoldSetEmpty == ASSUME NEW op(_, _), NEW base PROVE FoldSet(op, base, {}) = base
THEOREM SumSetEmpty == SumSet({}) = 0
THEOREM SumSetNat == \A S \in SUBSET Nat : IsFiniteSet(S) => SumSet(S) \in Nat
THEOREM SumSetInt == \A S \in SUBSET Int : IsFiniteSet(S) => SumSet(S) \in Int
THEOREM ProductSetEmpty == ProductSet({}) = 1
THEOREM ProductSetNat == \A S \in SUBSET Nat : IsFiniteSet(S) => ProductSet(S) \in Nat
THEOREM MaxIntFinite ==
  \A S \in SUBSET Int : S # {} /\ IsFiniteSet(S) => Max(S) \in S /\ \A x \in S : x \leq Max(S)
THEOREM MinIntFinite ==
  \A S \in SUBSET Int : S # {} /\ IsFiniteSet(S) => Min(S) \in S /\ \A x \in S : Min(S) \leq x
THEOREM MinNat == \A S \in SUBSET Nat : S # {} => Min(S) \in S /\ \A x \in S : Min(S) \leq x
THEOREM MaxInterval == \A a, b \in Int : a \leq b => Max(a .. b) = b
THEOREM MinInterval == \A a, b \in Int : a \leq b => Min(a .. b) = a
=============================================================================
