------------------------------ MODULE Apalache ------------------------------
(* Operators of the symbolic model checker Apalache, with meanings that can be evaluated. *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

(* Assignment, as a hint; it is equality. *)
__var := __value == __var = __value

(* Arbitrary data of a bounded size (only for Apalache), and an element of a set. *)
Gen(__size)  == {__n \in {__size} : FALSE}
Guess(__set) == CHOOSE __x \in __set : TRUE

(* A set of pairs as a function, a function on 1 .. len as a sequence, and a sequence of n elements. *)
SetAsFun(__pairs) ==
  [__x \in {__p[1] : __p \in __pairs} |-> (CHOOSE __p \in __pairs : __p[1] = __x)[2]]
MkSeq(__n, __elem(_))             == [__i \in 1 .. __n |-> __elem(__i)]
FunAsSeq(__fun, __len, __maxLen) == SubSeq([__i \in 1 .. __maxLen |-> __fun[__i]], 1, __len)

(* Hints for the solver. *)
Skolem(__formula)            == __formula
Expand(__set)                == __set
ConstCardinality(__formula)  == __formula

(* Folds. *)
RECURSIVE ApaFoldSet(_, _, _)
ApaFoldSet(__op(_, _), __base, __set) ==
  IF __set = {} THEN __base
  ELSE LET __x == CHOOSE __y \in __set : TRUE
       IN  ApaFoldSet(__op, __op(__base, __x), __set \ {__x})

RECURSIVE ApaFoldSeqLeft(_, _, _)
ApaFoldSeqLeft(__op(_, _), __base, __seq) ==
  IF Len(__seq) = 0 THEN __base
  ELSE ApaFoldSeqLeft(__op, __op(__base, __seq[1]), Tail(__seq))

(* F(... F(F(x, 1), 2) ..., n). *)
RECURSIVE Repeat(_, _, _)
Repeat(__F(_, _), __n, __x) == IF __n > 0 THEN __F(Repeat(__F, __n - 1, __x), __n) ELSE __x
=============================================================================
