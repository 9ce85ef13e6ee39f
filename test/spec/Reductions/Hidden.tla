---- MODULE Hidden ----
\* Whether computing h fails depends on h, behind an operator, a function, a LET, a quantifier, an EXCEPT: h cannot be left out.
EXTENDS Integers, Sequences
VARIABLES x, h
RECURSIVE Down(_)
Down(n) == IF n = 0 THEN h ELSE Down(n - 1)
fun[n \in 0..2] == IF n = 0 THEN h ELSE fun[n - 1]
Twice(F(_)) == F(1) + F(0)
Ten(d) == 0 * (10 \div (d - 3))
Init == x = 0 /\ h = 0
Step(e) == x' = 1 - x /\ h' = h + 1 + e
ByOperator == Step(Ten(Down(1)))
ByFunction == Step(Ten(fun[2]))
ByLet == Step(LET d == Down(2) IN Ten(d))
ByArgument == Step(Twice(LAMBDA n : Ten(Down(n))))
ByQuantifier == Step(IF \A n \in {0, 1} : Ten(Down(n)) = 0 THEN 0 ELSE 0)
ByExcept == Step([i \in {1} |-> 0][[j \in {1} |-> 1 + Ten(fun[j])][1]])
ByIndex == Step(<<0, 0, 0>>[Down(0) + 1])
ByCase == Step(CASE fun[1] < 3 -> 0)
====
