----------------------------- MODULE FiniteSets -----------------------------

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(S, seq, s, n, CS, T, x) ==
  <<S, seq, s, n, CS, T, x>>

LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

(* A set is finite when some finite list names all its elements. *)
IsFiniteSet(S) == \E seq \in Seq(S) : S = {seq[n] : n \in DOMAIN seq}

(* The number of elements of a finite set. *)
Cardinality(S) ==
  LET size_[T \in SUBSET S] ==
        IF T = {} THEN 0
        ELSE LET x == CHOOSE x \in T : TRUE
             IN  1 + size_[T \ {x}]
  IN  size_[S]
=============================================================================
