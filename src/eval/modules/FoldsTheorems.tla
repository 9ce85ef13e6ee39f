---------------------------- MODULE FoldsTheorems ---------------------------
(* The recursion that a fold satisfies, for proofs. *)
EXTENDS Folds, FiniteSets

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(MapThenFoldSetDef, op, base, f, S, T, x, MapThenFoldSetBijection, fS, chS, U, fT, chT, bij, s, t, s1,
                s2, MapThenFoldSetEqual, g, Typ, u, MapThenFoldSetAC, v, MapThenFoldSetACAddElement,
                MapThenFoldSetDisjointUnion) ==
  <<MapThenFoldSetDef, op, base, f, S, T, x, MapThenFoldSetBijection, fS, chS, U, fT, chT, bij, s, t, s1, s2,
    MapThenFoldSetEqual, g, Typ, u, MapThenFoldSetAC, v, MapThenFoldSetACAddElement, MapThenFoldSetDisjointUnion>>

THEOREM MapThenFoldSetEmpty ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_) PROVE MapThenFoldSet(op, base, f, choose, {}) = base
THEOREM MapThenFoldSetNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_), NEW S, IsFiniteSet(S), S # {},
         \A T \in SUBSET S : T = {} \/ choose(T) \in T
  PROVE  LET x == choose(S)
         IN  op(f(x), MapThenFoldSet(op, base, f, choose, S \ {x})) = MapThenFoldSet(op, base, f, choose, S)
THEOREM MapThenFoldSetType ==
  ASSUME NEW R_, NEW op(_, _), NEW base \in R_, NEW f(_), NEW choose(_), NEW S, IsFiniteSet(S),
         \A x, y_ \in R_ : op(x, y_) \in R_, \A x \in S : f(x) \in R_,
         \A T \in SUBSET S : T = {} \/ choose(T) \in T
  PROVE  MapThenFoldSet(op, base, f, choose, S) \in R_
=============================================================================
