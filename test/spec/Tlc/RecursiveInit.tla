---- MODULE RecursiveInit ----
\* A recursive operator that gives a variable its value, in Init and in Next; an axiom that TLC
\* could not evaluate; counters that include the state at hand.
EXTENDS Naturals, TLC, _Possible
VARIABLES n, m
AXIOM Induction == \A P : P[0] /\ (\A k \in Nat : P[k] => P[k + 1]) => \A k \in Nat : P[k]
RECURSIVE Set(_, _, _)
Set(v, value, k) == IF k = 0 THEN v = value ELSE Set(v, value, k - 1)
Init == Set(n, 1, 2) /\ Set(m, {}, 1)
Next == n < 5 /\ Set(n', n + 1, 3) /\ Set(m', m \cup {n}, 0)
Few == TLCGet("distinct") < 4
Seen == _Track(n = 3, "three") /\ _Track(n = 9, "nine")
Checked == TLCGet("distinct") = 5 /\ _CheckName("three")
Missed == TLCGet("distinct") = 5 /\ _CheckName("nine")
====
