-------------------------------- MODULE Folds -------------------------------
(* op(f(x), op(f(y), ... base)), where choose picks x from S, then y from what is left, and so on. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(op, base, f, S, iter, s, x) ==
  <<op, base, f, S, iter, s, x>>

MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
  LET fold_[T_ \in SUBSET S] ==
        IF T_ = {} THEN base
        ELSE LET first_ == choose(T_)
             IN  op(f(first_), fold_[T_ \ {first_}])
  IN  fold_[S]
=============================================================================
