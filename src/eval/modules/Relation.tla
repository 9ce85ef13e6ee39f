------------------------------ MODULE Relation ------------------------------
(* Relations over a set S, as Boolean functions R[x, y]. The forms that end in Under take an operator instead. *)
EXTENDS Naturals, FiniteSets

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(R, S, x, op, p, y, z, N, trcl, n, rtrcl) ==
  <<R, S, x, op, p, y, z, N, trcl, n, rtrcl>>

LOCAL Table_(op(_, _), S) == [pair_ \in S \X S |-> op(pair_[1], pair_[2])]

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

IsReflexiveUnder(op(_, _), S)                == IsReflexive(Table_(op, S), S)
IsIrreflexiveUnder(op(_, _), S)              == IsIrreflexive(Table_(op, S), S)
IsSymmetricUnder(op(_, _), S)                == IsSymmetric(Table_(op, S), S)
IsAntiSymmetricUnder(op(_, _), S)            == IsAntiSymmetric(Table_(op, S), S)
IsAsymmetricUnder(op(_, _), S)               == IsAsymmetric(Table_(op, S), S)
IsTransitiveUnder(op(_, _), S)               == IsTransitive(Table_(op, S), S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) == IsStrictlyPartiallyOrdered(Table_(op, S), S)
IsPartiallyOrderedUnder(op(_, _), S)         == IsPartiallyOrdered(Table_(op, S), S)
IsStrictlyTotallyOrderedUnder(op(_, _), S)   == IsStrictlyTotallyOrdered(Table_(op, S), S)
IsTotallyOrderedUnder(op(_, _), S)           == IsTotallyOrdered(Table_(op, S), S)

(* x and y are linked by one or more steps of R: paths through ever more inner points, as Warshall does it. *)
TransitiveClosure(R, S) ==
  LET via_[T_ \in SUBSET S] ==
        IF T_ = {} THEN [x, y \in S |-> R[x, y]]
        ELSE LET t_ == CHOOSE z \in T_ : TRUE
                 C_ == via_[T_ \ {t_}]
             IN  [x, y \in S |-> C_[x, y] \/ (C_[x, t_] /\ C_[t_, y])]
  IN  via_[S]

ReflexiveTransitiveClosure(R, S) ==
  LET C_ == TransitiveClosure(R, S)
  IN  [x, y \in S |-> C_[x, y] \/ x = y]

(* Any two points are linked. *)
IsConnected(R, S) ==
  LET C_ == ReflexiveTransitiveClosure(R, S)
  IN  \A x, y \in S : C_[x, y]
=============================================================================
