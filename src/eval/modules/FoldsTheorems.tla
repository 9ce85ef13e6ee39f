---------------------------- MODULE FoldsTheorems ---------------------------
(* The recursion that a fold satisfies, for proofs. *)
EXTENDS Folds, FiniteSets

THEOREM MapThenFoldSetEmpty ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_) PROVE MapThenFoldSet(op, base, f, choose, {}) = base
THEOREM MapThenFoldSetNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_), NEW S, IsFiniteSet(S), S # {},
         \A T \in SUBSET S : T = {} \/ choose(T) \in T
  PROVE  LET x == choose(S)
         IN  op(f(x), MapThenFoldSet(op, base, f, choose, S \ {x})) = MapThenFoldSet(op, base, f, choose, S)
THEOREM MapThenFoldSetType ==
  ASSUME NEW R, NEW op(_, _), NEW base \in R, NEW f(_), NEW choose(_), NEW S, IsFiniteSet(S),
         \A x, y \in R : op(x, y) \in R, \A x \in S : f(x) \in R,
         \A T \in SUBSET S : T = {} \/ choose(T) \in T
  PROVE  MapThenFoldSet(op, base, f, choose, S) \in R
=============================================================================
