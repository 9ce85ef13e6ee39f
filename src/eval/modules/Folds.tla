-------------------------------- MODULE Folds -------------------------------
(* op(f(x), op(f(y), ... base)), where choose picks x from S, then y from what is left, and so on. *)
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
  LET fold[T \in SUBSET S] ==
        IF T = {} THEN base
        ELSE LET first == choose(T)
             IN  op(f(first), fold[T \ {first}])
  IN  fold[S]
=============================================================================
