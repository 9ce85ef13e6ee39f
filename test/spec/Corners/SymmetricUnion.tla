---- MODULE SymmetricUnion ----
\* A variable that holds now a record, now a set, now a tuple of model values that may be exchanged.
EXTENDS TLC, Naturals
CONSTANTS n1, n2, n3
VARIABLES m, k, q
Node == {n1, n2, n3}
Init == m = {} /\ k = 0 /\ q \in Node
Next ==
    \/ k = 0 /\ k' = 1 /\ (\E p \in Node : m' = [from |-> p]) /\ UNCHANGED q
    \/ k = 1 /\ k' = 2 /\ m' = {m.from, q} /\ UNCHANGED q
    \/ k = 2 /\ k' = 3 /\ (\E p \in Node : m' = <<p, q>>) /\ UNCHANGED q
    \/ k = 3 /\ k' = 4 /\ (\E p \in Node : m' = [a \in {p, q} |-> p]) /\ UNCHANGED q
    \/ k = 4 /\ k' = 0 /\ m' = {} /\ (\E p \in Node : q' = p)
Sym == Permutations(Node)
====
