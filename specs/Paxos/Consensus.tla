----------------------------- MODULE Consensus -----------------------------
(***************************************************************************)
(* Consensus in one line: at some moment one value is chosen, and that is  *)
(* never changed.                                                          *)
(***************************************************************************)
CONSTANT Value
VARIABLE chosen

Init == chosen = {}
Next == chosen = {} /\ \E v \in Value : chosen' = {v}
Spec == Init /\ [][Next]_chosen
=============================================================================
