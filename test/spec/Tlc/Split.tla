---- MODULE Split ----
\* SPECIFICATION and PROPERTY formulas that are built with operators.
EXTENDS Naturals
VARIABLE n
Init == n = 0
Next == n' = (n + 1) % 3
Same(f) == f
Apply(op(_)) == op(Init /\ [][Next]_n)
Sane == 1 + 1 = 2
SpecOp == LET also == Sane IN also /\ Apply(Same)
Never == \A k \in 1..2, l \in {6, 7} : [](n # k + l)
Bad == Never /\ [](n < 2)
Apart == <>(n = 7)
Top == Apart
Insane == 1 = 2
SpecFalse == Init /\ Insane /\ [][Next]_n
SpecVar == n
====
