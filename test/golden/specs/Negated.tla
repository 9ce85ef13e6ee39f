---- MODULE Negated ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3 \/ (x = 2 /\ x' = 2)
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Comes == []<>(x = 1)
Stays == <>[](x = 2)
NotComes == ~Comes
NotStays == ~Stays
NotAgain == ~[]<>(x = 0)
NotNever == ~[](x # 2)
Either == ~Comes \/ ~[]<>(x = 0)
Neither == ~(Stays \/ []<>(x = 1))
====
