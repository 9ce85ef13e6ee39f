------------------------------- MODULE Leave -------------------------------
(* Two processes meet in one place: leaving it is a step that the invariant *)
(* notices, though it touches nothing of the others.                        *)
EXTENDS Naturals
CONSTANT N
VARIABLES pc, g
Proc == 1 .. N

Init == pc = [p \in Proc |-> "out"] /\ g = 0
Enter(p) == pc[p] = "out" /\ pc' = [pc EXCEPT ![p] = "in"] /\ g' = g
Leave(p) == pc[p] = "in" /\ pc' = [pc EXCEPT ![p] = "gone"] /\ g' = g
Tell(p) == pc[p] = "gone" /\ pc' = [pc EXCEPT ![p] = "done"] /\ g' = g + 1
Done == (\A p \in Proc : pc[p] = "done") /\ UNCHANGED <<pc, g>>
Next == (\E p \in Proc : Enter(p) \/ Leave(p) \/ Tell(p)) \/ Done

OnlyOne == \A p, q \in Proc : p # q => ~(pc[p] = "in" /\ pc[q] = "in")
Gone == \A p, q \in Proc : p # q => ~(pc[p] \in {"gone", "done"} /\ pc[q] \in {"gone", "done"})
NotAllIn == ~(\A p \in Proc : pc[p] = "in")
NotMixed == \A p, q \in Proc : ~(pc[p] = "gone" /\ pc[q] = "in")
=============================================================================
