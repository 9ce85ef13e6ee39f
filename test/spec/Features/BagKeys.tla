---- MODULE BagKeys ----
(* Bags that hold numbers and a model value: a bag of 1 alone is a function over 1..1, and the model value is not in it. *)
EXTENDS Integers, Bags, BagsExt
CONSTANT Nil
VARIABLES bag, power

Items == {1, 2, Nil}

Init == bag = EmptyBag /\ power = 1

Add(x) == BagCardinality(bag) < 4 /\ bag' = BagAdd(bag, x)
Remove(x) == bag' = BagRemove(bag, x)
RemoveAll(x) == BagIn(x, bag) /\ bag' = BagRemoveAll(bag, x)

(* A local operator that uses @. *)
Raise ==
  /\ power < 40
  /\ power' = [<<power>> EXCEPT ![1] = LET Times(n) == @ * n IN Times(2) + CopiesIn(Nil, bag)][1]
  /\ UNCHANGED bag

Next ==
  \/ (\E x \in Items : Add(x) \/ Remove(x) \/ RemoveAll(x)) /\ UNCHANGED power
  \/ Raise

Counted == \A x \in Items : CopiesIn(x, bag) \in 0..4 /\ (x \in BagToSet(bag) <=> BagIn(x, bag))
====
