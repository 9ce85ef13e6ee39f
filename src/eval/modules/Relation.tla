------------------------------ MODULE Relation ------------------------------
(* Relations over a set S, as Boolean functions R[x, y]. The forms that end in Under take an operator instead. *)
EXTENDS Naturals, FiniteSets

LOCAL Table(op(_, _), S) == [pair \in S \X S |-> op(pair[1], pair[2])]

IsReflexive(R, S)     == \A x \in S : R[x, x]
IsIrreflexive(R, S)   == \A x \in S : ~ R[x, x]
IsSymmetric(R, S)     == \A x, y \in S : R[x, y] = R[y, x]
IsAntiSymmetric(R, S) == \A x, y \in S : R[x, y] /\ R[y, x] => x = y
IsAsymmetric(R, S)    == \A x, y \in S : R[x, y] => ~ R[y, x]
IsTransitive(R, S)    == \A x, y, z \in S : R[x, y] /\ R[y, z] => R[x, z]

(* Orders. *)
IsStrictlyPartiallyOrdered(R, S) ==
  IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrdered(R, S) ==
  IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyTotallyOrdered(R, S) ==
  IsStrictlyPartiallyOrdered(R, S) /\ \A x, y \in S : x = y \/ R[x, y] \/ R[y, x]
IsTotallyOrdered(R, S) ==
  IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]

IsReflexiveUnder(op(_, _), S)                == IsReflexive(Table(op, S), S)
IsIrreflexiveUnder(op(_, _), S)              == IsIrreflexive(Table(op, S), S)
IsSymmetricUnder(op(_, _), S)                == IsSymmetric(Table(op, S), S)
IsAntiSymmetricUnder(op(_, _), S)            == IsAntiSymmetric(Table(op, S), S)
IsAsymmetricUnder(op(_, _), S)               == IsAsymmetric(Table(op, S), S)
IsTransitiveUnder(op(_, _), S)               == IsTransitive(Table(op, S), S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) == IsStrictlyPartiallyOrdered(Table(op, S), S)
IsPartiallyOrderedUnder(op(_, _), S)         == IsPartiallyOrdered(Table(op, S), S)
IsStrictlyTotallyOrderedUnder(op(_, _), S)   == IsStrictlyTotallyOrdered(Table(op, S), S)
IsTotallyOrderedUnder(op(_, _), S)           == IsTotallyOrdered(Table(op, S), S)

(* x and y are linked by one or more steps of R: paths through ever more inner points, as Warshall does it. *)
TransitiveClosure(R, S) ==
  LET via[T \in SUBSET S] ==
        IF T = {} THEN [x, y \in S |-> R[x, y]]
        ELSE LET t == CHOOSE z \in T : TRUE
                 C == via[T \ {t}]
             IN  [x, y \in S |-> C[x, y] \/ (C[x, t] /\ C[t, y])]
  IN  via[S]

ReflexiveTransitiveClosure(R, S) ==
  LET C == TransitiveClosure(R, S)
  IN  [x, y \in S |-> C[x, y] \/ x = y]

(* Any two points are linked. *)
IsConnected(R, S) ==
  LET C == ReflexiveTransitiveClosure(R, S)
  IN  \A x, y \in S : C[x, y]
=============================================================================
