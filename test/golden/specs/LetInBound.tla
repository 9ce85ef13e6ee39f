---- MODULE LetInBound ----
f[x \in {LET a == 1 IN a}] == x
A == LET g[x \in SUBSET (LET a == {1} IN a)] == x IN g
====
