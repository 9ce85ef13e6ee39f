---- MODULE ThreeSymmetric ----
\* Three sets, each symmetric by itself: all combinations of their permutations count.
EXTENDS TLC
CONSTANTS a1, a2, b1, b2, c1, c2, c3
VARIABLES s, last
A == {a1, a2}
B == {b1, b2}
C == {c1, c2, c3}
Init == s \in A \X B \X C /\ last \in C
Next == s' \in {<<x, s[2], s[3]>> : x \in A} \cup {<<s[1], y, last>> : y \in B} /\ last' \in C
Sym == Permutations(A) \cup Permutations(B) \cup Permutations(C)
====
