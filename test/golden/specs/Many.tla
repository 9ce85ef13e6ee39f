---- MODULE Many ----
\* Many states of one level violate the invariant, some deadlock there, and many paths lead to each of them.
EXTENDS Naturals
VARIABLE f
N == 1..6
Init == f = [i \in N |-> 0]
Total == f[1] + f[2] + f[3] + f[4] + f[5] + f[6]
Step(i) == f[i] < 6 /\ (Total = 13 => f[1] # 2) /\ f' = [f EXCEPT ![i] = @ + 1]
Next == \E i \in N : Step(i)
Sum == Total < 14
Settles == <>[](f[1] = 7)
====
