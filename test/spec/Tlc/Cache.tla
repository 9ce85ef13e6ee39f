---- MODULE Cache ----
(* TLCCache evaluates a constant expression once for each closure: in assumptions, initial states and steps, by all
   workers. *)
EXTENDS Naturals, TLC, TLCExt
VARIABLE x
Count(v) == IF TLCSet(1, TLCGet(1) + 1) THEN v ELSE v
ASSUME TLCSet(1, 0)
Small == TLCCache(Count({i \in 1..9 : i < 5}), "small")
Smaller == TLCCache(Count({i \in Small : i < 3}), "smaller")
Times(n) == TLCCache(Count(n * 10), n)
ASSUME 4 \in Small /\ 3 \notin Smaller /\ Times(2) = 20 /\ Times(3) = 30 /\ Times(2) = 20
Init == x \in Smaller
Next == x' \in Small /\ Times(2) = 20
Once == TLCGet(1) = 4
====
