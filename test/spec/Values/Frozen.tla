------------------------------- MODULE Frozen -------------------------------
(* Functions that are constants, made of operators that are arguments.     *)
EXTENDS Naturals
VARIABLE x

Mk(F(_)) == [n \in Nat |-> F(n)]
Add(k) == Mk(LAMBDA n : n + k)
Compose(F(_), G(_)) == [n \in Nat |-> F(G(n))]
Wrap(F(_), k) == Compose(F, LAMBDA n : n + k)
Half(n) == n \div 2

Plus3 == Add(3)
Both == Compose(LAMBDA n : n + 1, LAMBDA n : n * 2)
HalfOfMore == Wrap(Half, 5)
Small == {n \in Nat : n % 3 = 1}

Init == x = 0
Next == /\ x < 40
        /\ x' \in {Plus3[x], Both[x], HalfOfMore[x]} \cup {n \in 0 .. 9 : n \in Small /\ n > x}
Inv == /\ Plus3[x] = x + 3
       /\ Both[x] = 2 * x + 1
       /\ HalfOfMore[x] = (x + 5) \div 2
       /\ (x \in Small) = (x % 3 = 1)
=============================================================================
