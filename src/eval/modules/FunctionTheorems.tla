-------------------------- MODULE FunctionTheorems --------------------------
(* Facts about functions and their sums that proofs cite. *)
EXTENDS Functions, Integers, FiniteSets

THEOREM Fun_RestrictProperties ==
  \A S, T, A : \A f \in [S -> T] : A \subseteq S => Restrict(f, A) \in [A -> T] /\ \A x \in A : Restrict(f, A)[x] = f[x]
THEOREM Fun_RangeProperties ==
  \A S, T : \A f \in [S -> T] : Range(f) \subseteq T /\ \A y \in Range(f) : \E x \in S : f[x] = y
THEOREM Fun_IsInj ==
  \A S, T : \A f \in [S -> T] : (\A x, y \in S : x # y => f[x] # f[y]) => f \in Injection(S, T)
THEOREM Fun_IsSurj ==
  \A S, T : \A f \in [S -> T] : (\A y \in T : \E x \in S : f[x] = y) => f \in Surjection(S, T)
THEOREM Fun_ExistsBijReflexive == \A S : ExistsBijection(S, S)
THEOREM Fun_ExistsBijSymmetric == \A S, T : ExistsBijection(S, T) => ExistsBijection(T, S)
THEOREM Fun_ExistsBijTransitive ==
  \A S, T, U : ExistsBijection(S, T) /\ ExistsBijection(T, U) => ExistsBijection(S, U)
THEOREM Fun_CantorBernsteinSchroeder ==
  \A S, T : ExistsInjection(S, T) /\ ExistsInjection(T, S) => ExistsBijection(S, T)

THEOREM FoldFunctionOnSetEmpty ==
  ASSUME NEW op(_, _), NEW base, NEW fun PROVE FoldFunctionOnSet(op, base, fun, {}) = base
THEOREM FoldFunctionOnSetType ==
  ASSUME NEW T, NEW op(_, _), NEW base \in T, NEW fun, NEW I, IsFiniteSet(I),
         \A x, y \in T : op(x, y) \in T, \A i \in I : fun[i] \in T
  PROVE  FoldFunctionOnSet(op, base, fun, I) \in T
THEOREM FoldFunctionOnSetEqual ==
  ASSUME NEW op(_, _), NEW base, NEW f, NEW g, NEW I, IsFiniteSet(I), \A i \in I : f[i] = g[i]
  PROVE  FoldFunctionOnSet(op, base, g, I) = FoldFunctionOnSet(op, base, f, I)
THEOREM SumFunctionNat ==
  \A f : IsFiniteSet(DOMAIN f) /\ (\A x \in DOMAIN f : f[x] \in Nat) => SumFunction(f) \in Nat
THEOREM SumFunctionInt ==
  \A f : IsFiniteSet(DOMAIN f) /\ (\A x \in DOMAIN f : f[x] \in Int) => SumFunction(f) \in Int
THEOREM SumFunctionZero ==
  \A f : IsFiniteSet(DOMAIN f) /\ (\A x \in DOMAIN f : f[x] \in Nat) =>
    (SumFunction(f) = 0 <=> \A x \in DOMAIN f : f[x] = 0)
THEOREM SumFunctionMonotonic ==
  \A f, g : IsFiniteSet(DOMAIN f) /\ DOMAIN f = DOMAIN g /\ (\A x \in DOMAIN f : {f[x], g[x]} \subseteq Int /\ f[x] \leq g[x])
    => SumFunction(f) \leq SumFunction(g)
THEOREM SumFunctionStrictlyMonotonic ==
  \A f, g : /\ IsFiniteSet(DOMAIN f) /\ DOMAIN f = DOMAIN g
            /\ \A x \in DOMAIN f : {f[x], g[x]} \subseteq Int /\ f[x] \leq g[x]
            /\ \E x \in DOMAIN f : f[x] < g[x]
    => SumFunction(f) < SumFunction(g)
=============================================================================
