------------------------------ MODULE Counters ------------------------------
(***************************************************************************)
(* Counters that grow independently of each other. There is nothing to     *)
(* find here: the model shows how the search behaves with very many states *)
(* (Limit + 1 to the power of Count).                                      *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS Count, Limit

VARIABLE value

Init == value = [c \in 1 .. Count |-> 0]

Grow(c) ==
    /\ value[c] < Limit
    /\ value' = [value EXCEPT ![c] = @ + 1]

Next == \E c \in 1 .. Count : Grow(c)

Spec == Init /\ [][Next]_value

TypeOK == value \in [1 .. Count -> 0 .. Limit]
=============================================================================
