---- MODULE Ok ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y \in {0, 1}
Inc == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Flip(n) == y' = n /\ x' = x
Next == Inc \/ \E n \in {0, 1} : Flip(n)
Spec == Init /\ [][Next]_<<x, y>> /\ WF_<<x, y>>(Inc)
TypeOK == x \in 0..3 /\ y \in 0..1
Bound == x < 2
Done == <>(x = 3)
Never == <>(y = 1)
ActProp == [][x' >= x]_x
BadAct == [][x' = x + 1 /\ x # 1]_x
InitProp == y = 0
Post == TRUE
PostBad == x = 7
Constr == x < 2
====
