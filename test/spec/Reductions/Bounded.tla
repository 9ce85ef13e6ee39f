---- MODULE Bounded ----
\* A constraint that reads what else only its process reads: no step of a process may be taken alone there.
EXTENDS Naturals
VARIABLES pc, g
Proc == 1..2
Init == pc = [p \in Proc |-> 0] /\ g = 0
Local(p) == pc[p] < 2 /\ pc' = [pc EXCEPT ![p] = @ + 1] /\ UNCHANGED g
Share(p) == pc[p] = 2 /\ pc' = [pc EXCEPT ![p] = 3] /\ g' = g + 1
Next == \E p \in Proc : Local(p) \/ Share(p)
Inv == g < 2
NotFirst == ~(pc[1] = 1 /\ pc[2] = 0)
NotSecond == ~(pc[2] = 1 /\ pc[1] = 0)
NotFirstFar == ~(pc[1] = 2 /\ pc[2] = 0) /\ ~(pc[1] = 1 /\ pc[2] = 1)
NotSecondFar == ~(pc[2] = 2 /\ pc[1] = 0) /\ ~(pc[1] = 1 /\ pc[2] = 1)
====
