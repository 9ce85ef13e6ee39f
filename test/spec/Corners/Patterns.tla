---- MODULE Patterns ----
(* A pattern that does not fit fails, though a guard of another name would leave the element out; functions on infinite
   sets that are changed, and changed again. *)
EXTENDS Naturals
VARIABLE y
F == [[i \in Nat |-> {i}] EXCEPT ![3] = {7, 8}]
G == [F EXCEPT ![4] = {}]
Init == y = 0
Fails == \E <<a, b>> \in {<<1, 2>>, <<3>>}, i \in 1..2 : i > 5 /\ y' = a
Next == y < 6 /\ y' = y + 1 /\ G[3] = {7, 8} /\ G[y] = (CASE y = 3 -> {7, 8} [] y = 4 -> {} [] OTHER -> {y})
Inv == F[3] = {7, 8} /\ F[y] = (IF y = 3 THEN {7, 8} ELSE {y})
====
