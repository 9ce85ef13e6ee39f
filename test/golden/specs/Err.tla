---- MODULE Err ----
EXTENDS Naturals, Sequences
VARIABLE x, s
Init == x = 0 /\ s = <<>>
Step == x' = x + 1 /\ s' = IF x = 2 THEN Tail(s)[x] ELSE Append(s, x)
Next == Step
Spec == Init /\ [][Next]_<<x, s>>
InvErr == x < 2 \/ s[7] = 1
Unb == x' \in Nat /\ s' = s
Part == x' = x
InitErr == x = 1 + "a" /\ s = 0
NoInit == x = 0 /\ x = 1 /\ s = 0
PropErr == <>(x = 2 /\ s[9] = 1)
====
