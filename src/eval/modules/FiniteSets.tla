----------------------------- MODULE FiniteSets -----------------------------
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

(* A set is finite when some finite list names all its elements. *)
IsFiniteSet(S) == \E list \in Seq(S) : S = {list[k] : k \in DOMAIN list}

(* The number of elements of a finite set. *)
Cardinality(S) ==
  LET size[T \in SUBSET S] ==
        IF T = {} THEN 0
        ELSE LET one == CHOOSE x \in T : TRUE
             IN  1 + size[T \ {one}]
  IN  size[S]
=============================================================================
