------------------------ MODULE WellFoundedInduction ------------------------
(* Well-founded relations (sets of pairs), induction and recursion over them. *)
EXTENDS NaturalsInduction

IsTransitivelyClosedOn(R, S) ==
  \A x, y, z \in S : <<x, y>> \in R /\ <<y, z>> \in R => <<x, z>> \in R

(* No endless descent. *)
IsWellFoundedOn(R, S) == \A f \in [Nat -> S] : \E n \in Nat : <<f[n + 1], f[n]>> \notin R

(* What stands below x. *)
SetLessThan(x, R, S) == {y \in S : <<y, x>> \in R}

(* Def(g, x) depends on g below x only; f is what recursion with Def chooses; f satisfies it; at most one does. *)
WFDefOn(R, S, Def(_, _)) ==
  \A x \in S : \A g, h : (\A y \in SetLessThan(x, R, S) : g[y] = h[y]) => Def(g, x) = Def(h, x)
OpDefinesFcn(f, S, Def(_, _))       == f = CHOOSE g : g = [x \in S |-> Def(g, x)]
WFInductiveDefines(f, S, Def(_, _)) == f = [x \in S |-> Def(f, x)]
WFInductiveUnique(S, Def(_, _)) ==
  \A g, h : WFInductiveDefines(g, S, Def) /\ WFInductiveDefines(h, S, Def) => g = h

(* The least transitive relation on S that contains R there. *)
TransitiveClosureOn(R, S) ==
  {p \in S \X S :
     \A U \in SUBSET (S \X S) :
       (R \cap (S \X S)) \subseteq U /\ IsTransitivelyClosedOn(U, S) => p \in U}

(* Relations from an operator, through a function, on pairs and on tuples by the first difference. *)
OpToRel(_\prec_, S)  == {p \in S \X S : p[1] \prec p[2]}
PreImage(f(_), S, R) == {p \in S \X S : <<f(p[1]), f(p[2])>> \in R}
LexPairOrdering(R1, R2, S1, S2) ==
  {p \in (S1 \X S2) \X (S1 \X S2) :
     IF p[1][1] = p[2][1] /\ <<p[1][2], p[2][2]>> \in R2 THEN TRUE ELSE <<p[1][1], p[2][1]>> \in R1}
LexProductOrdering(R, S, n) ==
  {p \in [1 .. n -> S] \X [1 .. n -> S] :
     \E k \in 1 .. n : <<p[1][k], p[2][k]>> \in R /\ \A i \in 1 .. k - 1 : p[1][i] = p[2][i]}

LEMMA EmptyIsWellFounded == \A S : IsWellFoundedOn({}, S)
LEMMA IsWellFoundedOnSubset ==
  \A R, S : \A T \in SUBSET S : IsWellFoundedOn(R, S) => IsWellFoundedOn(R, T)
LEMMA IsWellFoundedOnSubrelation ==
  \A R, Q, S : (Q \cap (S \X S)) \subseteq R /\ IsWellFoundedOn(R, S) => IsWellFoundedOn(Q, S)
THEOREM WFMin ==
  \A R, S : IsWellFoundedOn(R, S) =>
    \A T \in SUBSET S : T # {} => \E x \in T : \A y \in T : <<y, x>> \notin R
THEOREM MinWF ==
  \A R, S : (\A T \in SUBSET S : T # {} => \E x \in T : \A y \in T : <<y, x>> \notin R) => IsWellFoundedOn(R, S)
LEMMA WellFoundedIsIrreflexive == \A R, S : IsWellFoundedOn(R, S) => \A x \in S : <<x, x>> \notin R
LEMMA WellFoundedIsAsymmetric ==
  \A R, S : IsWellFoundedOn(R, S) => \A x, y \in S : ~ (<<x, y>> \in R /\ <<y, x>> \in R)
LEMMA WFSetLessThanIrreflexive ==
  \A R, S : IsWellFoundedOn(R, S) => \A x \in S : x \notin SetLessThan(x, R, S)
LEMMA SetLessTransitive ==
  \A R, S : IsTransitivelyClosedOn(R, S) =>
    \A x \in S : \A y \in SetLessThan(x, R, S) : SetLessThan(y, R, S) \subseteq SetLessThan(x, R, S)
THEOREM WFInduction ==
  ASSUME NEW P(_), NEW R, NEW S, IsWellFoundedOn(R, S),
         \A x \in S : (\A y \in SetLessThan(x, R, S) : P(y)) => P(x)
  PROVE  \A x \in S : P(x)
THEOREM WFDefOnUnique ==
  ASSUME NEW Def(_, _), NEW R, NEW S, IsWellFoundedOn(R, S), WFDefOn(R, S, Def)
  PROVE  WFInductiveUnique(S, Def)
LEMMA WFInductiveDefLemma ==
  ASSUME NEW Def(_, _), NEW R, NEW S, NEW f, IsWellFoundedOn(R, S), IsTransitivelyClosedOn(R, S),
         WFDefOn(R, S, Def), OpDefinesFcn(f, S, Def)
  PROVE  WFInductiveDefines(f, S, Def)
LEMMA TransitiveClosureThm ==
  \A R, S : (R \cap (S \X S)) \subseteq TransitiveClosureOn(R, S) /\ IsTransitivelyClosedOn(TransitiveClosureOn(R, S), S)
LEMMA TransitiveClosureMinimal ==
  \A R, S : \A U \in SUBSET (S \X S) :
    (R \cap (S \X S)) \subseteq U /\ IsTransitivelyClosedOn(U, S) => TransitiveClosureOn(R, S) \subseteq U
LEMMA TCTCTC ==
  \A R, S : LET C == TransitiveClosureOn(R, S)
            IN  \A x, y, z \in S : <<x, y>> \in C /\ <<y, z>> \in C => <<x, z>> \in C
LEMMA TCRTC ==
  \A R, S : LET C == TransitiveClosureOn(R, S)
            IN  \A x, y, z \in S : <<x, y>> \in C /\ <<y, z>> \in R => <<x, z>> \in C
LEMMA RTCTC ==
  \A R, S : LET C == TransitiveClosureOn(R, S)
            IN  \A x, y, z \in S : <<x, y>> \in R /\ <<y, z>> \in C => <<x, z>> \in C
LEMMA TransitiveClosureChopLast ==
  \A R, S : LET C == TransitiveClosureOn(R, S)
            IN  \A x, z \in S : <<x, z>> \in C => \E y \in S : <<y, z>> \in R /\ (y = x \/ <<x, y>> \in C)
THEOREM TransitiveClosureWF == \A R, S : IsWellFoundedOn(R, S) => IsWellFoundedOn(TransitiveClosureOn(R, S), S)
THEOREM WFInductiveDef ==
  ASSUME NEW Def(_, _), NEW R, NEW S, NEW f, IsWellFoundedOn(R, S), WFDefOn(R, S, Def), OpDefinesFcn(f, S, Def)
  PROVE  WFInductiveDefines(f, S, Def)
THEOREM WFInductiveDefType ==
  ASSUME NEW Def(_, _), NEW f, NEW R, NEW S, NEW T, T # {}, IsWellFoundedOn(R, S), WFDefOn(R, S, Def),
         WFInductiveDefines(f, S, Def), \A g \in [S -> T], x \in S : Def(g, x) \in T
  PROVE  f \in [S -> T]
THEOREM NatLessThanWellFounded == IsWellFoundedOn(OpToRel(<, Nat), Nat)
THEOREM PreImageWellFounded ==
  ASSUME NEW f(_), NEW R, NEW S, NEW T, \A x \in S : f(x) \in T, IsWellFoundedOn(R, T)
  PROVE  IsWellFoundedOn(PreImage(f, S, R), S)
THEOREM WFLexPairOrdering ==
  \A R1, R2, S1, S2 : IsWellFoundedOn(R1, S1) /\ IsWellFoundedOn(R2, S2) =>
    IsWellFoundedOn(LexPairOrdering(R1, R2, S1, S2), S1 \X S2)
THEOREM WFLexProductOrdering ==
  \A R, S : \A n \in Nat : IsWellFoundedOn(R, S) => IsWellFoundedOn(LexProductOrdering(R, S, n), [1 .. n -> S])
=============================================================================
