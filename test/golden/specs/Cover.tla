---- MODULE Cover ----
EXTENDS Naturals, Sequences
VARIABLES pc, q, n
vars == <<pc, q, n>>
Init == pc = [i \in 1..2 |-> "a"] /\ q = <<>> /\ n \in 0..2
Send(i) == /\ pc[i] = "a"
           /\ Len(q) < 2
           /\ q' = Append(q, i)
           /\ pc' = [pc EXCEPT ![i] = "b"]
           /\ UNCHANGED n
Recv == /\ q # <<>>
        /\ q' = Tail(q)
        /\ n' = IF Head(q) = 1 THEN (n + 1) % 5 ELSE n
        /\ UNCHANGED pc
Dead == /\ n > 10
        /\ n' = 0
        /\ UNCHANGED <<pc, q>>
Reset(i) == \/ /\ pc[i] = "b" /\ pc' = [pc EXCEPT ![i] = "a"] /\ UNCHANGED <<q, n>>
            \/ /\ pc[i] = "c" /\ pc' = pc /\ UNCHANGED <<q, n>>
Next == (\E i \in 1..2 : Send(i) \/ Reset(i)) \/ Recv \/ Dead
Inv == /\ n < 7
       /\ \A i \in DOMAIN q : q[i] \in 1..2
Cons == Len(q) < 3
====
