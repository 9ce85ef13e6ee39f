------------------------ MODULE FiniteSetsExtTheorems -----------------------
(* Facts about folds and extremes of sets that proofs cite. *)
EXTENDS FiniteSetsExt, FiniteSets, Integers

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(op, base, FoldSetNonempty, S, x, FoldSetType, Typ, t, u, FoldSetAC, v, FoldSetACAddElement,
                FoldSetDisjointUnion, T, SumSetNonempty, SumSetAddElement, SumSetDisjointUnion, SumSetNatSubset,
                SumSetNatZero, ProductSetInt, ProductSetNonempty, ProductSetAddElement, ProductSetDisjointUnion,
                ProductSetNatOne, ProductSetZero, ProductSetNatSubset, MapThenSumSetNat, s, MapThenSumSetInt,
                MapThenSumSetEmpty, MapThenSumSetNonempty, MapThenSumSetAddElement, MapThenSumSetDisjointUnion,
                MapThenSumSetNatSubset, MapThenSumSetZero, MapThenSumSetMonotonic, f, g, MapThenSumSetStrictlyMonotonic,
                MaxInt, y, MaxIntBounded, a, b, MinInt, MinIntBounded, SupersetOfMajorityIsMajority, U, Q1, Q2) ==
  <<op, base, FoldSetNonempty, S, x, FoldSetType, Typ, t, u, FoldSetAC, v, FoldSetACAddElement,
    FoldSetDisjointUnion, T, SumSetNonempty, SumSetAddElement, SumSetDisjointUnion, SumSetNatSubset,
    SumSetNatZero, ProductSetInt, ProductSetNonempty, ProductSetAddElement, ProductSetDisjointUnion,
    ProductSetNatOne, ProductSetZero, ProductSetNatSubset, MapThenSumSetNat, s, MapThenSumSetInt,
    MapThenSumSetEmpty, MapThenSumSetNonempty, MapThenSumSetAddElement, MapThenSumSetDisjointUnion,
    MapThenSumSetNatSubset, MapThenSumSetZero, MapThenSumSetMonotonic, f, g, MapThenSumSetStrictlyMonotonic,
    MaxInt, y, MaxIntBounded, a, b, MinInt, MinIntBounded, SupersetOfMajorityIsMajority, U, Q1, Q2>>

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
