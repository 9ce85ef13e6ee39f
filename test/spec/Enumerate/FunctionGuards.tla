---- MODULE FunctionGuards ----
(* A condition that is a function applied to something: the function's body is enumerated, so that a disjunction in it gives a
   state for each way to be true, wherever the function is defined. *)
EXTENDS Integers
VARIABLES on, n

Init == on = TRUE /\ n = 0

Step(k) == n = k /\ n' = k + 1 /\ UNCHANGED on

f[x \in {3}] == on \/ x # 2
F == [x \in {3} |-> on \/ x # 2]

Top == f[3] /\ Step(0)
Operator == F[3] /\ Step(1)
InLet == (LET h[x \in {3}] == on \/ x # 2 IN h[3]) /\ Step(2)
InLetOperator == (LET H == [x \in {3} |-> on \/ x # 2] IN H[3]) /\ Step(3)
Twice == (LET h[x \in {3}] == on \/ x # 2 IN h[3] /\ h[3]) /\ Step(4)
OfTwo == (LET h[x \in {3}, y \in {4}] == on \/ x # y IN h[3, 4]) /\ Step(5)
Compared == (LET h[x \in {3}] == on \/ x # 2 IN h = h /\ 3 \in DOMAIN h /\ h[3]) /\ Step(6)
Bound == \E a \in {1, 2} : (LET h[x \in {3}] == on \/ a # 2 IN h[3]) /\ Step(7)
Recursive == (LET h[x \in 0..3] == IF x = 0 THEN on \/ x # 2 ELSE h[x - 1] \/ x = 3 IN h[3]) /\ Step(8)
Assigns == n = 9 /\ LET h[x \in {3}] == (n' = 0 /\ on' = on) \/ (n' = 10 /\ on' = FALSE) IN h[3]

Next == \/ Top \/ Operator \/ InLet \/ InLetOperator \/ Twice \/ OfTwo \/ Compared \/ Bound \/ Recursive \/ Assigns
        \/ n = 10 /\ UNCHANGED <<on, n>>
====
