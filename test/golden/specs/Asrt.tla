---- MODULE Asrt ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == /\ x' = x + 1
        /\ Assert(x' < 3, <<"too big", x'>>)
        /\ PrintT(x)
        /\ Print("hello", TRUE)
Spec == Init /\ [][Next]_x
====
