----------------------------- MODULE MultiPaxos -----------------------------
(***************************************************************************)
(* Multi-Paxos: one round of promises covers all slots of a log. Each      *)
(* proposer owns one ballot. It fills slots in order, and must keep what   *)
(* its quorum has reported. A learner appends values to its log when a     *)
(* quorum has accepted them.                                               *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Acceptor, Ballots, Slots, Value, Nil

Ballot == 1 .. Ballots
Slot == 1 .. Slots
Quorum == {Q \in SUBSET Acceptor : 2 * Cardinality(Q) > Cardinality(Acceptor)}

VARIABLES
    bal,        \* [Acceptor -> ballot]: the highest that was promised
    accepted,   \* [Acceptor -> [Slot -> [bal, val]]]
    leader,     \* [Ballot -> what its proposer knows]
    msgs,       \* all messages ever sent
    learnt      \* the log of the learner

vars == <<bal, accepted, leader, msgs, learnt>>

NoVote == [bal |-> 0, val |-> Nil]

Init ==
    /\ bal = [a \in Acceptor |-> 0]
    /\ accepted = [a \in Acceptor |-> [s \in Slot |-> NoVote]]
    /\ leader = [b \in Ballot |-> [phase |-> "idle", keep |-> [s \in Slot |-> Nil], filled |-> 0]]
    /\ msgs = {}
    /\ learnt = <<>>

Send(m) == msgs' = msgs \cup {m}

-----------------------------------------------------------------------------
\* The proposer of ballot b

Prepare(b) ==
    /\ leader[b].phase = "idle"
    /\ leader' = [leader EXCEPT ![b].phase = "asking"]
    /\ Send([type |-> "prepare", bal |-> b])
    /\ UNCHANGED <<bal, accepted, learnt>>

Newest(votes) == CHOOSE v \in votes : \A w \in votes : v.bal >= w.bal

Lead(b) ==
    /\ leader[b].phase = "asking"
    /\ \E Q \in Quorum :
          LET promises == {m \in msgs : m.type = "promise" /\ m.bal = b /\ m.from \in Q}
          IN  /\ {m.from : m \in promises} = Q
              /\ leader' = [leader EXCEPT
                    ![b].phase = "leading",
                    ![b].keep = [s \in Slot |-> Newest({m.votes[s] : m \in promises}).val]]
    /\ UNCHANGED <<bal, accepted, msgs, learnt>>

Propose(b) ==
    /\ leader[b].phase = "leading"
    /\ leader[b].filled < Slots
    /\ LET s == leader[b].filled + 1
       IN  \E v \in IF leader[b].keep[s] = Nil THEN Value ELSE {leader[b].keep[s]} :
              /\ Send([type |-> "accept", bal |-> b, slot |-> s, val |-> v])
              /\ leader' = [leader EXCEPT ![b].filled = s]
    /\ UNCHANGED <<bal, accepted, learnt>>

-----------------------------------------------------------------------------
\* The acceptor a

Promise(a, m) ==
    /\ m.type = "prepare"
    /\ m.bal > bal[a]
    /\ bal' = [bal EXCEPT ![a] = m.bal]
    /\ Send([type |-> "promise", from |-> a, bal |-> m.bal, votes |-> accepted[a]])
    /\ UNCHANGED <<accepted, leader, learnt>>

Accept(a, m) ==
    /\ m.type = "accept"
    /\ m.bal >= bal[a]
    /\ accepted[a][m.slot].bal < m.bal
    /\ bal' = [bal EXCEPT ![a] = m.bal]
    /\ accepted' = [accepted EXCEPT ![a][m.slot] = [bal |-> m.bal, val |-> m.val]]
    /\ Send([type |-> "accepted", from |-> a, bal |-> m.bal, slot |-> m.slot, val |-> m.val])
    /\ UNCHANGED <<leader, learnt>>

-----------------------------------------------------------------------------
\* The learner

Chosen(b, s, v) ==
    LET voters == {m.from : m \in {n \in msgs : n.type = "accepted" /\ n.bal = b /\ n.slot = s /\ n.val = v}}
    IN  voters \in Quorum

Learn ==
    /\ Len(learnt) < Slots
    /\ \E b \in Ballot, v \in Value :
          /\ Chosen(b, Len(learnt) + 1, v)
          /\ learnt' = Append(learnt, v)
    /\ UNCHANGED <<bal, accepted, leader, msgs>>

Next ==
    \/ \E b \in Ballot : Prepare(b) \/ Lead(b) \/ Propose(b)
    \/ \E a \in Acceptor : \E m \in msgs : Promise(a, m) \/ Accept(a, m)
    \/ Learn

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Vote == [bal : 0 .. Ballots, val : Value \cup {Nil}]

TypeOK ==
    /\ bal \in [Acceptor -> 0 .. Ballots]
    /\ accepted \in [Acceptor -> [Slot -> Vote]]
    /\ leader \in [Ballot -> [phase : {"idle", "asking", "leading"},
                              keep : [Slot -> Value \cup {Nil}],
                              filled : 0 .. Slots]]
    /\ \A m \in msgs : m.type \in {"prepare", "promise", "accept", "accepted"} /\ m.bal \in Ballot
    /\ learnt \in Seq(Value) /\ Len(learnt) <= Slots

\* In a slot at most one value is ever chosen, and the learner has that one.
Agreement ==
    \A s \in Slot :
        LET values == {v \in Value : \E b \in Ballot : Chosen(b, s, v)}
        IN  /\ Cardinality(values) <= 1
            /\ s <= Len(learnt) => learnt[s] \in values

OneProposal ==
    \A m, n \in {x \in msgs : x.type = "accept"} :
        (m.bal = n.bal /\ m.slot = n.slot) => m.val = n.val
=============================================================================
