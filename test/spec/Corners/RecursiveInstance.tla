---- MODULE RecursiveInstance ----
\* Recursive operators and actions of an instance whose variable is another's.
EXTENDS Naturals
VARIABLE v
I == INSTANCE Sums WITH x <- v
Init == v = 0
Next == v < 3 /\ I!Step(2) /\ I!Sum(3) = 6
Inv == I!Sum(v) < 6
====
