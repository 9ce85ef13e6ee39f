---- MODULE RepeatedCalls ----
\* A recursive function that asks for itself in many places: in conditions, in LETs that are used in some branches
\* only, inside of quantifiers with and without their variables, and with other arguments. Compiled code calls it
\* once for each argument that is the same in the whole body.
EXTENDS Integers, Sequences, FiniteSets

VARIABLES seq, n, out

Batch(ms, from) ==
    LET F[i \in 0 .. Len(ms)] ==
            IF i = 0 THEN <<from, {}, <<>>>>
            ELSE LET last == F[i - 1]
                     m    == ms[i]
                     res  == IF m \in F[i - 1][2] THEN <<0, F[i - 1][2]>> ELSE <<1, F[i - 1][2] \cup {m}>>
                 IN  <<last[1] + res[1], res[2], Append(F[i - 1][3], F[i - 1][1] + m)>>
    IN  F[Len(ms)]

\* The bound variable is part of the argument in one place, and not in the other.
Reach(k) ==
    LET G[i \in 0 .. 6] ==
            IF i <= 0 THEN {0}
            ELSE IF \E j \in 1 .. i : j \in G[i - j] /\ i - 1 \in G[i - 1]
                 THEN G[i - 1] \cup {x + 1 : x \in G[i - 1]}
                 ELSE {y + Cardinality(G[i - 1]) : y \in G[i - 1]} \cup {i}
    IN  G[k]

\* Where a condition holds the argument lies outside of the domain, and control does not come there.
Down(k) ==
    LET H[i \in 0 .. 8] == IF i = 0 THEN 0 ELSE IF i > 3 /\ H[i - 1] > 4 THEN H[i - 4] + H[i - 1] ELSE H[i - 1] + i
    IN  H[k]

RECURSIVE Tree(_, _)
Tree(d, w) == IF d = 0 THEN {w} ELSE {x + Cardinality(Tree(d - 1, w)) : x \in Tree(d - 1, w)} \cup Tree(d - 1, w + 1)

Init == seq = <<>> /\ n = 0 /\ out = <<0, {}, <<>>>>

Put == /\ Len(seq) < 4
       /\ \E m \in 1 .. 3 : seq' = Append(seq, m)
       /\ out' = Batch(seq', n)
       /\ UNCHANGED n
Step == /\ n < 6
        /\ n' = n + 1
        /\ seq' = IF Len(seq) > 0 /\ Cardinality(Reach(n)) + Down(n') > 3 THEN Tail(seq) ELSE seq
        /\ out' = IF \A x \in 1 .. 2 : Batch(seq, x)[1] >= Batch(seq, n)[1] THEN Batch(seq', n') ELSE Batch(seq, n)
Next == Put \/ Step

Sane == /\ Batch(seq, n)[1] = n + Cardinality(Batch(seq, n)[2])
        /\ Cardinality(Tree(n % 4, n)) > 0
        /\ \A i \in 0 .. 6 : Reach(i) # {} /\ Down(i) >= 0
Few == out[1] < 8 \/ Cardinality(Reach(n)) + Down(n) + Cardinality(Tree(n % 4, 1)) < 25
====
