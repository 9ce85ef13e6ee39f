---- MODULE Drawn ----
(* Only the initial states are drawn, and how many states there are does not depend on which: the
   search may be compiled. *)
EXTENDS Naturals, FiniteSets, Randomization, TLC
VARIABLES chosen, left, turns

Init ==
    /\ chosen = RandomSubset(3, 1..9)
    /\ turns \in {0, RandomElement({1})}
    /\ left = chosen

Take(i) == i \in left /\ left' = left \ {i} /\ UNCHANGED <<chosen, turns>>
Again == left = {} /\ turns < 5 /\ left' = chosen /\ turns' = turns + 1 /\ UNCHANGED chosen
Next == (\E i \in 1..9 : Take(i)) \/ Again

TypeOK == Cardinality(chosen) = 3 /\ left \subseteq chosen /\ turns \in 0..5
====
