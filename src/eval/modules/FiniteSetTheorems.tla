------------------------- MODULE FiniteSetTheorems --------------------------
(* Facts about finite sets that proofs cite. *)
EXTENDS FiniteSets, Integers, Functions, WellFoundedInduction

FiniteSubsetsOf(S)      == {T \in SUBSET S : IsFiniteSet(T)}
StrictSubsetOrdering(S) == {p \in (SUBSET S) \X (SUBSET S) : p[1] # p[2] /\ p[1] \subseteq p[2]}

(* Counting by functions. *)
LEMMA FS_NatSurjection == \A S : IsFiniteSet(S) <=> \E n \in Nat : ExistsSurjection(1 .. n, S)
LEMMA FS_NatBijection == \A S : IsFiniteSet(S) <=> \E n \in Nat : ExistsBijection(1 .. n, S)
LEMMA FS_CountingElements == \A S : \A n \in Nat : ExistsBijection(1 .. n, S) => Cardinality(S) = n
THEOREM FS_SurjCardinalityBound == \A S : \A n \in Nat : ExistsSurjection(1 .. n, S) => Cardinality(S) \leq n
THEOREM FS_CardinalityType ==
  \A S : IsFiniteSet(S) => Cardinality(S) \in Nat /\ ExistsBijection(1 .. Cardinality(S), S)
THEOREM FS_Bijection ==
  \A S, T : IsFiniteSet(S) /\ ExistsBijection(S, T) => IsFiniteSet(T) /\ Cardinality(S) = Cardinality(T)
THEOREM FS_SameCardinalityBij ==
  \A S, T : IsFiniteSet(S) /\ IsFiniteSet(T) /\ Cardinality(S) = Cardinality(T) => ExistsBijection(S, T)
THEOREM FS_SurjSameCardinalityImpliesInj ==
  \A S, T : IsFiniteSet(S) /\ Cardinality(T) = Cardinality(S) => Surjection(S, T) \subseteq Injection(S, T)
THEOREM FS_Surjection ==
  \A S, T : IsFiniteSet(S) =>
    \A f \in Surjection(S, T) :
      /\ IsFiniteSet(T) /\ Cardinality(T) \leq Cardinality(S)
      /\ f \in Injection(S, T) <=> Cardinality(S) = Cardinality(T)
THEOREM FS_Injection ==
  \A S, T : IsFiniteSet(T) =>
    \A f \in Injection(S, T) :
      /\ IsFiniteSet(S) /\ Cardinality(S) \leq Cardinality(T)
      /\ f \in Surjection(S, T) <=> Cardinality(S) = Cardinality(T)
THEOREM FS_Image ==
  ASSUME NEW S, NEW F(_), IsFiniteSet(S)
  PROVE  IsFiniteSet({F(x) : x \in S}) /\ Cardinality({F(x) : x \in S}) \leq Cardinality(S)
THEOREM FS_PigeonHole ==
  \A S, T : IsFiniteSet(S) /\ IsFiniteSet(T) /\ Cardinality(S) > Cardinality(T) =>
    \A f \in [S -> T] : ~ IsInjective(f)

(* Sets of a known form. *)
THEOREM FS_EmptySet ==
  IsFiniteSet({}) /\ Cardinality({}) = 0 /\ \A S : IsFiniteSet(S) => (S = {} <=> Cardinality(S) = 0)
THEOREM FS_Singleton ==
  /\ \A x : IsFiniteSet({x}) /\ Cardinality({x}) = 1
  /\ \A S : IsFiniteSet(S) => ((\E x : {x} = S) <=> Cardinality(S) = 1)
THEOREM FS_Interval ==
  \A a, b \in Int : IsFiniteSet(a .. b) /\ Cardinality(a .. b) = (IF a \leq b THEN (b - a) + 1 ELSE 0)
THEOREM FS_BoundedSetOfNaturals ==
  \A S \in SUBSET Nat : \A n \in Nat : (\A x \in S : x \leq n) => IsFiniteSet(S) /\ Cardinality(S) \leq 1 + n

(* Operations. *)
THEOREM FS_AddElement ==
  \A S, x : IsFiniteSet(S) =>
    IsFiniteSet(S \cup {x}) /\ Cardinality(S \cup {x}) = Cardinality(S) + (IF x \in S THEN 0 ELSE 1)
THEOREM FS_RemoveElement ==
  \A S, x : IsFiniteSet(S) =>
    IsFiniteSet(S \ {x}) /\ Cardinality(S \ {x}) = Cardinality(S) - (IF x \in S THEN 1 ELSE 0)
THEOREM FS_Subset ==
  \A S : IsFiniteSet(S) =>
    \A T \in SUBSET S :
      IsFiniteSet(T) /\ Cardinality(T) \leq Cardinality(S) /\ (Cardinality(T) = Cardinality(S) => T = S)
THEOREM FS_Union ==
  \A S, T : IsFiniteSet(S) /\ IsFiniteSet(T) =>
    /\ IsFiniteSet(S \cup T)
    /\ Cardinality(S \cup T) = (Cardinality(S) + Cardinality(T)) - Cardinality(S \cap T)
THEOREM FS_Intersection ==
  \A S, T : IsFiniteSet(S) =>
    /\ IsFiniteSet(S \cap T) /\ Cardinality(S \cap T) \leq Cardinality(S)
    /\ IsFiniteSet(T \cap S) /\ Cardinality(T \cap S) \leq Cardinality(S)
THEOREM FS_Difference ==
  \A S, T : IsFiniteSet(S) =>
    IsFiniteSet(S \ T) /\ Cardinality(S) - Cardinality(S \cap T) = Cardinality(S \ T)
THEOREM FS_MajoritiesIntersect ==
  \A U : IsFiniteSet(U) =>
    \A S, T \in SUBSET U : Cardinality(U) < Cardinality(S) + Cardinality(T) => \E x \in S : x \in T
THEOREM FS_UNION == \A S : IsFiniteSet(S) /\ (\A T \in S : IsFiniteSet(T)) => IsFiniteSet(UNION S)
THEOREM FS_Product ==
  \A S, T : IsFiniteSet(S) /\ IsFiniteSet(T) =>
    IsFiniteSet(S \X T) /\ Cardinality(S) * Cardinality(T) = Cardinality(S \X T)
THEOREM FS_SUBSET ==
  \A S : IsFiniteSet(S) => IsFiniteSet(SUBSET S) /\ 2 ^ Cardinality(S) = Cardinality(SUBSET S)

(* Induction. *)
THEOREM FS_Induction ==
  ASSUME NEW P(_), NEW S, IsFiniteSet(S), P({}),
         \A T \in SUBSET S : \A x \in S \ T : IsFiniteSet(T) /\ P(T) => P(T \cup {x})
  PROVE  P(S)
LEMMA FS_FiniteSubsetsOfFinite == \A S : IsFiniteSet(S) => SUBSET S = FiniteSubsetsOf(S)
THEOREM FS_StrictSubsetOrderingWellFounded == \A S : IsWellFoundedOn(StrictSubsetOrdering(S), FiniteSubsetsOf(S))
THEOREM FS_WFInduction ==
  ASSUME NEW P(_), NEW S, IsFiniteSet(S),
         \A T \in SUBSET S : (\A U \in SUBSET T : U # T => P(U)) => P(T)
  PROVE  P(S)
=============================================================================
