------------------------------ MODULE TwoPhase ------------------------------
(***************************************************************************)
(* Two-phase commit. A coordinator collects promises from participants by  *)
(* message and then announces one verdict to all of them.                  *)
(*                                                                         *)
(* A message that was sent stays in `sent`: it may be received any number  *)
(* of times, late, or never. This covers loss, repetition and reordering.  *)
(*                                                                         *)
(* AtomicCommit says what the protocol has to achieve; TwoPhase.cfg checks *)
(* that this specification refines it. TwoPhaseLive.cfg checks that with   *)
(* fairness everybody decides, and TwoPhaseUnfair.cfg shows the behaviour  *)
(* that remains without it.                                                *)
(***************************************************************************)
CONSTANT Participant

VARIABLES
    outcome,   \* [Participant -> stage]: see AtomicCommit
    verdict,   \* what the coordinator has decided: "none", "commit" or "abort"
    promises,  \* the participants whose promise has reached the coordinator
    sent       \* all messages ever sent

vars == <<outcome, verdict, promises, sent>>

Message ==
    [kind : {"promise"}, from : Participant] \cup [kind : {"commit", "abort"}]

TypeOK ==
    /\ outcome \in [Participant -> {"working", "promised", "committed", "aborted"}]
    /\ verdict \in {"none", "commit", "abort"}
    /\ promises \subseteq Participant
    /\ sent \subseteq Message

Init ==
    /\ outcome = [p \in Participant |-> "working"]
    /\ verdict = "none"
    /\ promises = {}
    /\ sent = {}

-----------------------------------------------------------------------------
\* The participant p

\* p is ready: it can no longer abort by itself.
Promise(p) ==
    /\ outcome[p] = "working"
    /\ outcome' = [outcome EXCEPT ![p] = "promised"]
    /\ sent' = sent \cup {[kind |-> "promise", from |-> p]}
    /\ UNCHANGED <<verdict, promises>>

\* p gives up before it has promised anything. Nobody has to be told: the promise will never come.
Refuse(p) ==
    /\ outcome[p] = "working"
    /\ outcome' = [outcome EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<verdict, promises, sent>>

\* p learns the verdict.
LearnCommit(p) ==
    /\ [kind |-> "commit"] \in sent
    /\ outcome[p] # "committed"
    /\ outcome' = [outcome EXCEPT ![p] = "committed"]
    /\ UNCHANGED <<verdict, promises, sent>>

LearnAbort(p) ==
    /\ [kind |-> "abort"] \in sent
    /\ outcome[p] # "aborted"
    /\ outcome' = [outcome EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<verdict, promises, sent>>

-----------------------------------------------------------------------------
\* The coordinator

CollectPromise(p) ==
    /\ verdict = "none"
    /\ p \notin promises
    /\ [kind |-> "promise", from |-> p] \in sent
    /\ promises' = promises \cup {p}
    /\ UNCHANGED <<outcome, verdict, sent>>

DecideCommit ==
    /\ verdict = "none"
    /\ promises = Participant
    /\ verdict' = "commit"
    /\ sent' = sent \cup {[kind |-> "commit"]}
    /\ UNCHANGED <<outcome, promises>>

\* The coordinator may lose patience at any time.
DecideAbort ==
    /\ verdict = "none"
    /\ verdict' = "abort"
    /\ sent' = sent \cup {[kind |-> "abort"]}
    /\ UNCHANGED <<outcome, promises>>

-----------------------------------------------------------------------------
Next ==
    \/ DecideCommit
    \/ DecideAbort
    \/ \E p \in Participant :
          \/ Promise(p) \/ Refuse(p) \/ LearnCommit(p) \/ LearnAbort(p)
          \/ CollectPromise(p)

Spec == Init /\ [][Next]_vars

\* Everybody keeps working: the coordinator decides, and verdicts arrive.
FairSpec ==
    /\ Spec
    /\ WF_vars(DecideCommit \/ DecideAbort)
    /\ \A p \in Participant : WF_vars(LearnCommit(p) \/ LearnAbort(p))

-----------------------------------------------------------------------------
\* What is checked

Agreement ==
    \A p, q \in Participant : ~(outcome[p] = "committed" /\ outcome[q] = "aborted")

Validity ==
    verdict = "commit" => \A p \in Participant : outcome[p] \in {"promised", "committed"}

Refines == INSTANCE AtomicCommit
Atomic == Refines!Spec

Decided == \A p \in Participant : outcome[p] \in {"committed", "aborted"}
Termination == <>Decided

\* Once a participant has promised, what it decides is what the coordinator decided.
Follow == \A p \in Participant :
    (outcome[p] = "promised" /\ verdict = "commit") ~> (outcome[p] = "committed")
=============================================================================
