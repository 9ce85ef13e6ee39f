---- MODULE BadBound ----
(* The bound of an action fails: TLC tells the action that contains it instead, as Next. *)
EXTENDS TLC, Naturals
VARIABLE x
Init == x = 1 /\ PrintT(TLCGet("spec").actions)
A(i) == x' = x + i
B == x' = 1
C == x' = 3
Next == B \/ (\E i \in 1..(1 \div 0) : A(i)) \/ C
====
