----------------------------- MODULE Sets -----------------------------
(* Initial states from sets of functions, records and subsets; CHOOSE; and a successor that reads what it has just assigned. *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANT Node
VARIABLES f, g, r
Init == /\ f \in [Node -> 0 .. 1]
        /\ g \in SUBSET Node
        /\ r \in [owner : g, n : {f[p] : p \in Node}]
Pass == \E p \in Node \ g :
            /\ g' = g \cup {p}
            /\ r' = [r EXCEPT !.owner = CHOOSE q \in g' : q \notin g \/ f[q] = 1]
            /\ f' = [f EXCEPT ![p] = 1 - @, ![r'.owner] = @]
Shrink == /\ Cardinality(g) > 1
          /\ g' \in {h \in SUBSET g : r.owner \in h /\ h # g}
          /\ UNCHANGED <<f, r>>
Swap == \E <<p, q>> \in Node \X Node :
          /\ p # q /\ f[p] < f[q]
          /\ f' = f @@ [x \in {} |-> 0] /\ f' = f
          /\ r' = [owner |-> r.owner, n |-> f[q]] /\ g' = g
Next == Pass \/ Shrink \/ Swap
Inv == r.owner \in g /\ r.n \in 0 .. 1
=============================================================================
