---- MODULE PartlyCompiled ----
\* Actions of which one branch is left to the interpreter; a sequence that holds something late only; the level of a state; a constraint that reads it;
\* a next value below a set; a function as a conjunct; a maximum by recursion over subsets; model values among records.
EXTENDS Naturals, Sequences, FiniteSets, TLC, SequencesExt
CONSTANTS Node, Nobody
VARIABLES n, seen, late, owner
Init == n = 0 /\ seen = {} /\ late = <<>> /\ owner = [x \in Node |-> Nobody]
Largest(S) == LET Best[T \in SUBSET S] == IF Cardinality(T) = 1 THEN CHOOSE x \in T : TRUE
                                         ELSE LET x == CHOOSE x \in T : TRUE
                                                  rest == Best[T \ {x}]
                                              IN IF x > rest THEN x ELSE rest
              IN IF S = {} THEN 0 ELSE Best[S]
Count ==
    /\ n < 6
    /\ IF n % 4 = 3 THEN n' = n + Len(ToString(n)) ELSE n' = n + 1
    /\ UNCHANGED <<seen, late, owner>>
See == n > 1 /\ seen' \subseteq {1, n} /\ UNCHANGED <<n, late, owner>>
Keep ==
    LET free == [x \in Node |-> owner[x] = Nobody] IN
    \E x \in Node : /\ free[x]
                    /\ n > 4
                    /\ owner' = [owner EXCEPT ![x] = [at |-> n, top |-> Largest(seen)]]
                    /\ late' = Append(late, [who |-> x, log |-> <<n>>])
                    /\ UNCHANGED <<n, seen>>
Forget ==
    /\ late # <<>>
    /\ IF Len(late) > 1 /\ LongestCommonPrefix({late[1].log, late[2].log}) # <<>>
       THEN late' = Tail(late)
       ELSE late' = SubSeq(late, 1, Len(late) - 1)
    /\ UNCHANGED <<n, seen, owner>>
Next == Count \/ See \/ Keep \/ Forget
Shallow == TLCGet("level") < 12
TypeOK ==
    /\ owner \in [Node -> {Nobody} \cup [at : 0..9, top : 0..9]]
    /\ \A i \in 1..Len(late) : late[i].who \in Node
    /\ seen \in (SUBSET (0..9)) \ {{9}}
====
