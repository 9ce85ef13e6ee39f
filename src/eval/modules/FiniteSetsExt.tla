---------------------------- MODULE FiniteSetsExt ---------------------------
(* Folds over sets, counting, extremes, and choices. *)
EXTENDS Integers, FiniteSets, Folds, Functions

LOCAL Any1(S) == CHOOSE x \in S : TRUE

(* op over the elements in no particular order. *)
FoldSet(op(_, _), base, set)   == MapThenFoldSet(op, base, LAMBDA x : x, Any1, set)
ReduceSet(op(_, _), set, acc)  == FoldSet(op, acc, set)
MapThenSumSet(op(_), set)      == MapThenFoldSet(+, 0, op, Any1, set)
SumSet(set)                    == FoldSet(+, 0, set)
ProductSet(set)                == FoldSet(LAMBDA x, y : x * y, 1, set)

FlattenSet(S) == UNION S
SymDiff(A, B) == {x \in A \cup B : ~ (x \in A /\ x \in B)}

(* How many elements satisfy P. *)
Quantify(S, P(_)) == Cardinality({x \in S : P(x)})

(* The subsets of S with exactly k elements. *)
kSubset(k, S) == {T \in SUBSET S : Cardinality(T) = k}

Max(S) == CHOOSE m \in S : \A x \in S : x \leq m
Min(S) == CHOOSE m \in S : \A x \in S : m \leq x

(* All sets that take one element of each set. *)
Choices(Sets) ==
  LET pickers == {f \in [Sets -> UNION Sets] : \A S \in Sets : f[S] \in S}
  IN  {Range(f) : f \in pickers}

(* The one element that satisfies P; an error when there is none, or another. *)
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S \ {x} : ~ P(y)
=============================================================================
