------------------------------- MODULE Paxos -------------------------------
(***************************************************************************)
(* Single-decree Paxos: acceptors agree on one value although proposers    *)
(* compete and messages are lost, repeated and reordered.                  *)
(*                                                                         *)
(* A proposer is nothing but its ballot number: whoever runs ballot b      *)
(* first asks all acceptors to join it (Prepare). An acceptor that joins   *)
(* tells which value it has accepted last. When a quorum has joined, the   *)
(* ballot proposes the value of the highest ballot among them, or any      *)
(* value if there is none, and acceptors that have not joined a higher     *)
(* ballot accept it. A value accepted by a quorum in one ballot is chosen. *)
(*                                                                         *)
(* `sent` holds every message ever sent, so that losing one is the same as *)
(* never receiving it.                                                     *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS Acceptor, Value, Quorum, Ballot

ASSUME QuorumAssumption ==
    /\ \A Q \in Quorum : Q \subseteq Acceptor
    /\ \A Q1, Q2 \in Quorum : Q1 \cap Q2 # {}
ASSUME BallotAssumption == Ballot \subseteq Nat

None == [ballot |-> -1]   \* "nothing accepted yet"

VARIABLES
    joined,    \* [Acceptor -> highest ballot joined, or -1]
    accepted,  \* [Acceptor -> last vote: None or [ballot, value]]
    sent       \* all messages ever sent

vars == <<joined, accepted, sent>>

Vote == [ballot : Ballot, value : Value]

Message ==
         [kind : {"prepare"}, ballot : Ballot]
    \cup [kind : {"join"}, ballot : Ballot, from : Acceptor, last : Vote \cup {None}]
    \cup [kind : {"propose"}, ballot : Ballot, value : Value]
    \cup [kind : {"accept"}, ballot : Ballot, from : Acceptor, value : Value]

TypeOK ==
    /\ joined \in [Acceptor -> Ballot \cup {-1}]
    /\ accepted \in [Acceptor -> Vote \cup {None}]
    /\ sent \subseteq Message

Init ==
    /\ joined = [a \in Acceptor |-> -1]
    /\ accepted = [a \in Acceptor |-> None]
    /\ sent = {}

Send(m) == sent' = sent \cup {m}

-----------------------------------------------------------------------------
Prepare(b) ==
    /\ Send([kind |-> "prepare", ballot |-> b])
    /\ UNCHANGED <<joined, accepted>>

Join(a) ==
    \E m \in sent :
        /\ m.kind = "prepare"
        /\ m.ballot > joined[a]
        /\ joined' = [joined EXCEPT ![a] = m.ballot]
        /\ Send([kind |-> "join", ballot |-> m.ballot, from |-> a, last |-> accepted[a]])
        /\ UNCHANGED accepted

\* The votes that the members of Q have reported to ballot b.
Joins(Q, b) ==
    {m \in sent : m.kind = "join" /\ m.ballot = b /\ m.from \in Q}

Propose(b, v) ==
    /\ ~ \E m \in sent : m.kind = "propose" /\ m.ballot = b
    /\ \E Q \in Quorum :
        LET joins  == Joins(Q, b)
            voted  == {m.last : m \in {n \in joins : n.last # None}}
            newest == {w \in voted : \A u \in voted : u.ballot <= w.ballot}
        IN  /\ \A a \in Q : \E m \in joins : m.from = a
            /\ newest = {} \/ \E w \in newest : w.value = v
    /\ Send([kind |-> "propose", ballot |-> b, value |-> v])
    /\ UNCHANGED <<joined, accepted>>

Accept(a) ==
    \E m \in sent :
        /\ m.kind = "propose"
        /\ m.ballot >= joined[a]
        /\ joined' = [joined EXCEPT ![a] = m.ballot]
        /\ accepted' = [accepted EXCEPT ![a] = [ballot |-> m.ballot, value |-> m.value]]
        /\ Send([kind |-> "accept", ballot |-> m.ballot, from |-> a, value |-> m.value])

Next ==
    \/ \E b \in Ballot : Prepare(b) \/ \E v \in Value : Propose(b, v)
    \/ \E a \in Acceptor : Join(a) \/ Accept(a)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* What is checked

ChosenAt(b, v) ==
    \E Q \in Quorum : \A a \in Q :
        [kind |-> "accept", ballot |-> b, from |-> a, value |-> v] \in sent

chosen == {v \in Value : \E b \in Ballot : ChosenAt(b, v)}

Agreement == \A v, w \in chosen : v = w

\* The reason why it works: what was proposed in a ballot is safe against all lower ones.
Safe(b, v) ==
    \A c \in Ballot : c < b =>
        \E Q \in Quorum : \A a \in Q :
            \/ \E m \in sent : m.kind = "accept" /\ m.from = a /\ m.ballot = c /\ m.value = v
            \/ /\ joined[a] > c
               /\ ~ \E m \in sent : m.kind = "accept" /\ m.from = a /\ m.ballot = c

ProposalsAreSafe ==
    \A m \in sent : m.kind = "propose" => Safe(m.ballot, m.value)

Abstract == INSTANCE Consensus
Refinement == Abstract!Spec
=============================================================================
