------------------------------ MODULE TwoPhase ------------------------------
(***************************************************************************)
(* Two-phase commit with a transaction manager and any number of resource  *)
(* managers. The network is a set of messages that only grows.             *)
(***************************************************************************)
CONSTANT RM          \* the resource managers

VARIABLES
    rmState,         \* what each resource manager is doing
    tmState,         \* what the transaction manager is doing
    tmPrepared,      \* those whose "Prepared" it has read
    msgs             \* every message ever sent

vars == <<rmState, tmState, tmPrepared, msgs>>

Message ==
    [type : {"Prepared"}, rm : RM] \cup [type : {"Commit", "Abort"}]

TypeOK ==
    /\ rmState \in [RM -> {"working", "prepared", "committed", "aborted"}]
    /\ tmState \in {"collecting", "committed", "aborted"}
    /\ tmPrepared \in SUBSET RM
    /\ msgs \in SUBSET Message

Init ==
    /\ rmState = [r \in RM |-> "working"]
    /\ tmState = "collecting"
    /\ tmPrepared = {}
    /\ msgs = {}

Send(m) == msgs' = msgs \cup {m}

-----------------------------------------------------------------------------
TMReadPrepared(r) ==
    /\ tmState = "collecting"
    /\ [type |-> "Prepared", rm |-> r] \in msgs
    /\ tmPrepared' = tmPrepared \cup {r}
    /\ UNCHANGED <<rmState, tmState, msgs>>

TMCommit ==
    /\ tmState = "collecting"
    /\ tmPrepared = RM
    /\ tmState' = "committed"
    /\ Send([type |-> "Commit"])
    /\ UNCHANGED <<rmState, tmPrepared>>

TMAbort ==
    /\ tmState = "collecting"
    /\ tmState' = "aborted"
    /\ Send([type |-> "Abort"])
    /\ UNCHANGED <<rmState, tmPrepared>>

RMPrepare(r) ==
    /\ rmState[r] = "working"
    /\ rmState' = [rmState EXCEPT ![r] = "prepared"]
    /\ Send([type |-> "Prepared", rm |-> r])
    /\ UNCHANGED <<tmState, tmPrepared>>

RMGiveUp(r) ==
    /\ rmState[r] = "working"
    /\ rmState' = [rmState EXCEPT ![r] = "aborted"]
    /\ UNCHANGED <<tmState, tmPrepared, msgs>>

RMReadCommit(r) ==
    /\ [type |-> "Commit"] \in msgs
    /\ rmState' = [rmState EXCEPT ![r] = "committed"]
    /\ UNCHANGED <<tmState, tmPrepared, msgs>>

RMReadAbort(r) ==
    /\ [type |-> "Abort"] \in msgs
    /\ rmState' = [rmState EXCEPT ![r] = "aborted"]
    /\ UNCHANGED <<tmState, tmPrepared, msgs>>

Next ==
    \/ TMCommit \/ TMAbort
    \/ \E r \in RM :
          \/ TMReadPrepared(r)
          \/ RMPrepare(r) \/ RMGiveUp(r) \/ RMReadCommit(r) \/ RMReadAbort(r)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Consistent ==
    \A r, s \in RM : ~(rmState[r] = "aborted" /\ rmState[s] = "committed")
=============================================================================
