------------------------------- MODULE Prefix -------------------------------
(* Properties of the form [](p => []q) can be violated by a few states, whatever follows them. *)
EXTENDS Naturals
VARIABLES x, open
vars == <<x, open>>

Init == x = 0 /\ open \in BOOLEAN
Next == x < 9 /\ x' = x + 1 /\ open' \in {open, ~open}

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(Next)

LateCloses == [](open => [](x < 5))
StaysOpen == [](x = 3 => []open)
=============================================================================
