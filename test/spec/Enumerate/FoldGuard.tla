---- MODULE FoldGuard ----
\* A recursive operator of a LET as a conjunct: it uses what is bound around it.
EXTENDS Integers
VARIABLE v
Fold(F(_, _), b, S) == LET RECURSIVE H(_, _)
                           H(acc, T) == IF T = {} THEN acc
                                        ELSE LET y == CHOOSE z \in T : TRUE
                                             IN H(F(acc, y), T \ {y})
                       IN H(b, S)
Init == v = 0
Next == \E x \in {1, 2} : Fold(LAMBDA a, y : LET q == a IN (q /\ x = 1), TRUE, {1}) /\ v' = v
====
