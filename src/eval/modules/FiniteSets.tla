----------------------------- MODULE FiniteSets -----------------------------
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

(* A set is finite when some finite list names all its elements. *)
IsFiniteSet(S) == \E seq \in Seq(S) : S = {seq[n] : n \in DOMAIN seq}

(* The number of elements of a finite set. *)
Cardinality(S) ==
  LET size[T \in SUBSET S] ==
        IF T = {} THEN 0
        ELSE LET x == CHOOSE x \in T : TRUE
             IN  1 + size[T \ {x}]
  IN  size[S]
=============================================================================
