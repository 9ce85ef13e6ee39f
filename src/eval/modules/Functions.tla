------------------------------ MODULE Functions -----------------------------
(* Functions as tables: parts of them, their inverses, injections and the like, folds over their values. *)
EXTENDS Integers, Folds

LOCAL Pick(S) == CHOOSE x \in S : TRUE

(* f on S only; on the arguments that pass Test; where the values pass Test. *)
Restrict(f, S)             == [x \in S |-> f[x]]
RestrictDomain(f, Test(_)) == LET S == {x \in DOMAIN f : Test(x)} IN [x \in S |-> f[x]]
RestrictValues(f, Test(_)) == LET S == {x \in DOMAIN f : Test(f[x])} IN [x \in S |-> f[x]]

(* wide agrees with narrow wherever narrow is defined. *)
IsRestriction(narrow, wide) ==
  DOMAIN narrow \subseteq DOMAIN wide /\ \A x \in DOMAIN narrow : wide[x] = narrow[x]

Range(f) == {f[x] : x \in DOMAIN f}

(* T applied to the values of f and g at each argument of f. *)
Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]

(* For each t of T an s of S with f[s] = t (any s when t is no value of f). *)
Inverse(f, S, T) ==
  LET values == Range(f)
  IN  [t \in T |-> CHOOSE s \in S : t \notin values \/ f[s] = t]
AntiFunction(f) == Inverse(f, DOMAIN f, Range(f))

(* Different arguments, different values. *)
IsInjective(f) == \A x, y \in DOMAIN f : x # y => f[x] # f[y]

Injection(S, T)  == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : T \subseteq Range(f)}
Bijection(S, T)  == {f \in Injection(S, T) : f \in Surjection(S, T)}

ExistsInjection(S, T)  == \E f \in [S -> T] : f \in Injection(S, T)
ExistsSurjection(S, T) == \E f \in [S -> T] : f \in Surjection(S, T)
ExistsBijection(S, T)  == \E f \in [S -> T] : f \in Bijection(S, T)

(* op over the values at the given arguments, in no particular order. *)
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
  MapThenFoldSet(op, base, LAMBDA x : fun[x], Pick, indices)
FoldFunction(op(_, _), base, fun) ==
  MapThenFoldSet(op, base, LAMBDA x : fun[x], Pick, DOMAIN fun)

SumFunctionOnSet(fun, indices) == FoldFunctionOnSet(+, 0, fun, indices)
SumFunction(fun)               == FoldFunction(+, 0, fun)
=============================================================================
