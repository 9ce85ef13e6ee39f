--------------------------- MODULE TwoPhaseHasty ---------------------------
(***************************************************************************)
(* Two-phase commit with a deliberate mistake: the coordinator commits     *)
(* when all but one promise have come in ("the last one is surely on its   *)
(* way"). The checker finds the participant that refused.                  *)
(***************************************************************************)
EXTENDS TwoPhase, Naturals, FiniteSets

HastyCommit ==
    /\ verdict = "none"
    /\ Cardinality(Participant \ promises) <= 1
    /\ verdict' = "commit"
    /\ sent' = sent \cup {[kind |-> "commit"]}
    /\ UNCHANGED <<outcome, promises>>

HastyNext == Next \/ HastyCommit
HastySpec == Init /\ [][HastyNext]_vars
=============================================================================
