---------------------------- MODULE AtomicCommit ----------------------------
(***************************************************************************)
(* What a commit protocol is for, without saying how: every participant    *)
(* starts undecided, promises at most once, and ends committed or aborted. *)
(* Nobody commits before all have promised, and no two participants end    *)
(* differently.                                                            *)
(***************************************************************************)
CONSTANT Participant

VARIABLE outcome   \* what each participant has decided so far

Undecided == {"working", "promised"}

Init == outcome = [p \in Participant |-> "working"]

\* From here on, p is able to commit, and leaves the choice to others.
Promise(p) ==
    /\ outcome[p] = "working"
    /\ outcome' = [outcome EXCEPT ![p] = "promised"]

\* All have promised, or somebody knows that already.
Commit(p) ==
    /\ outcome[p] = "promised"
    /\ \A q \in Participant : outcome[q] \in {"promised", "committed"}
    /\ outcome' = [outcome EXCEPT ![p] = "committed"]

Abort(p) ==
    /\ outcome[p] \in Undecided
    /\ \A q \in Participant : outcome[q] # "committed"
    /\ outcome' = [outcome EXCEPT ![p] = "aborted"]

Next == \E p \in Participant : Promise(p) \/ Commit(p) \/ Abort(p)

Spec == Init /\ [][Next]_outcome
=============================================================================
