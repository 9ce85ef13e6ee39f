---- MODULE Recursive ----
(* What an invariant looks at, through operators and functions that are defined by themselves and by each other. *)
EXTENDS Naturals
VARIABLES a, b, c
RECURSIVE Sum(_), Even(_), Odd(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
Even(n) == IF n = 0 THEN b <= 4 ELSE Odd(n - 1)
Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)
down[n \in 0..5] == IF n = 0 THEN 0 ELSE down[n - 1]
Init == a = 0 /\ b = 0 /\ c = 0
A == a < 4 /\ a' = a + 1 /\ UNCHANGED <<b, c>>
B == b < 4 /\ b' = b + 1 /\ UNCHANGED <<a, c>>
C == c < 4 /\ c' = c + 1 /\ UNCHANGED <<a, b>>
Next == A \/ B \/ C
Inv == Sum(a) < 100 /\ down[a] = 0 /\ Even(2 * a)
Low == Sum(a) < 6
Few == ~(Even(2 * a) /\ b = 3)
====
