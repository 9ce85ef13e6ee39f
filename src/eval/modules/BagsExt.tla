------------------------------- MODULE BagsExt ------------------------------
(* Single elements in and out of bags, and folds over them. *)

LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE Folds

BagAdd(B, x) == [e \in DOMAIN B \cup {x} |-> CopiesIn(e, B) + (IF e = x THEN 1 ELSE 0)]

(* One copy less, or no copy left. *)
BagRemove(B, x) ==
  [e \in {d \in DOMAIN B : d # x \/ B[d] > 1} |-> IF e = x THEN B[e] - 1 ELSE B[e]]
BagRemoveAll(B, x) == [e \in DOMAIN B \ {x} |-> B[e]]

(* op over f of every copy of every element; the copies of one element are folded first. The order of the elements is
   that of CHOOSE, whatever `choose` says. *)
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
  LET all(x) ==
        LET upto[n \in 1 .. B[x]] == op(IF n > 1 THEN upto[n - 1] ELSE base, f(x))
        IN  upto[B[x]]
  IN  MapThenFoldSet(op, base, all, LAMBDA S : CHOOSE x \in S : TRUE, DOMAIN B)

(* op(... op(op(base, x), x) ..., y): every copy of the first element, then of the next. *)
RECURSIVE FoldOver(_, _, _, _)
LOCAL FoldOver(op(_, _), base, B, S) ==
  IF S = {} THEN base
  ELSE LET x == CHOOSE e \in S : TRUE
           upto[n \in 0 .. B[x]] == IF n = 0 THEN base ELSE op(upto[n - 1], x)
       IN  FoldOver(op, upto[B[x]], B, S \ {x})

FoldBag(op(_, _), base, B) == FoldOver(op, base, B, DOMAIN B)

SumBag(B)     == FoldBag(LAMBDA x, y : x + y, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
=============================================================================
