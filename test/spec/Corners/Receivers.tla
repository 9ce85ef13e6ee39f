---- MODULE Receivers ----
\* Messages for some of those who look for them: two quantifiers and a condition that ties them.
EXTENDS Naturals
VARIABLES msgs, n
Init == msgs = {} /\ n = 0
Send == \E d \in 1..2, k \in 1..3 : [to |-> d, k |-> k] \notin msgs /\ msgs' = msgs \cup {[to |-> d, k |-> k]} /\ n' = 0
Receive == \E p \in 1..4 : \E m \in msgs : m.to = p /\ m.k > 1 /\ msgs' = msgs \ {m} /\ n' = p
Next == Send \/ Receive
Inv == n < 3
====
