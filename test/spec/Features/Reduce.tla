----------------------------- MODULE Reduce -----------------------------
(***************************************************************************)
(* Processes that draw tickets; for CONSTRAINT, ACTION_CONSTRAINT, VIEW,   *)
(* SYMMETRY and ALIAS, which change what is explored or shown.             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Proc, Max
VARIABLES next, ticket, steps
vars == <<next, ticket, steps>>

Init == next = 1 /\ ticket = [p \in Proc |-> 0] /\ steps = 0
Draw(p) == /\ ticket[p] = 0
           /\ ticket' = [ticket EXCEPT ![p] = next]
           /\ next' = next + 1
           /\ steps' = steps + 1
Drop(p) == /\ ticket[p] # 0
           /\ ticket' = [ticket EXCEPT ![p] = 0]
           /\ steps' = steps + 1
           /\ UNCHANGED next
Next == \E p \in Proc : Draw(p) \/ Drop(p)
Spec == Init /\ [][Next]_vars

Unique == \A p, q \in Proc : ticket[p] = ticket[q] /\ p # q => ticket[p] = 0
Bound == next <= Max /\ steps <= 2 * Max
FewSteps == steps <= 3
OldestFirst ==
    \A p \in Proc : (ticket[p] # 0 /\ ticket'[p] = 0) =>
        \A q \in Proc : ticket[q] # 0 => ticket[p] <= ticket[q]
WithoutSteps == <<next, ticket>>
Coarse == <<next, {p \in Proc : ticket[p] # 0}>>
Sym == Permutations(Proc)
Shown == [holders |-> {p \in Proc : ticket[p] # 0}, n |-> next]
NeverTwo == Cardinality({p \in Proc : ticket[p] # 0}) < 2
=============================================================================
