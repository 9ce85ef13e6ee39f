------------------------------- MODULE Paxos --------------------------------
(***************************************************************************)
(* Single-decree Paxos. Messages are records in a set that only grows, so  *)
(* that they may be lost, repeated and reordered.                          *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS Acceptor, Value, MaxBallot

Ballot == 0 .. MaxBallot
None == "none"
Quorum == {Q \in SUBSET Acceptor : Cardinality(Q) * 2 > Cardinality(Acceptor)}

VARIABLES
    promised,    \* [Acceptor -> ballot]: takes part in nothing smaller
    accBallot,   \* the last ballot in which the acceptor accepted, or -1
    accValue,    \* and what it accepted then
    msgs

vars == <<promised, accBallot, accValue, msgs>>

Message ==
         [type : {"1a"}, bal : Ballot]
    \cup [type : {"1b"}, acc : Acceptor, bal : Ballot,
          vbal : Ballot \cup {-1}, val : Value \cup {None}]
    \cup [type : {"2a"}, bal : Ballot, val : Value]
    \cup [type : {"2b"}, acc : Acceptor, bal : Ballot, val : Value]

TypeOK ==
    /\ promised \in [Acceptor -> Ballot \cup {-1}]
    /\ accBallot \in [Acceptor -> Ballot \cup {-1}]
    /\ accValue \in [Acceptor -> Value \cup {None}]
    /\ msgs \subseteq Message

Init ==
    /\ promised = [a \in Acceptor |-> -1]
    /\ accBallot = [a \in Acceptor |-> -1]
    /\ accValue = [a \in Acceptor |-> None]
    /\ msgs = {}

Send(m) == msgs' = msgs \cup {m}

-----------------------------------------------------------------------------
Phase1a(b) ==
    /\ Send([type |-> "1a", bal |-> b])
    /\ UNCHANGED <<promised, accBallot, accValue>>

Phase1b(a) ==
    \E m \in msgs :
        /\ m.type = "1a"
        /\ m.bal > promised[a]
        /\ promised' = [promised EXCEPT ![a] = m.bal]
        /\ Send([type |-> "1b", acc |-> a, bal |-> m.bal,
                 vbal |-> accBallot[a], val |-> accValue[a]])
        /\ UNCHANGED <<accBallot, accValue>>

\* Some quorum has promised b; the value of its newest vote must be kept.
Phase2a(b, v) ==
    /\ ~\E m \in msgs : m.type = "2a" /\ m.bal = b
    /\ \E Q \in Quorum :
          LET answers == {m \in msgs : m.type = "1b" /\ m.acc \in Q /\ m.bal = b}
              votes == {m \in answers : m.vbal >= 0}
          IN  /\ \A a \in Q : \E m \in answers : m.acc = a
              /\ \/ votes = {}
                 \/ \E m \in votes :
                       /\ m.val = v
                       /\ \A n \in votes : m.vbal >= n.vbal
    /\ Send([type |-> "2a", bal |-> b, val |-> v])
    /\ UNCHANGED <<promised, accBallot, accValue>>

Phase2b(a) ==
    \E m \in msgs :
        /\ m.type = "2a"
        /\ m.bal >= promised[a]
        /\ promised' = [promised EXCEPT ![a] = m.bal]
        /\ accBallot' = [accBallot EXCEPT ![a] = m.bal]
        /\ accValue' = [accValue EXCEPT ![a] = m.val]
        /\ Send([type |-> "2b", acc |-> a, bal |-> m.bal, val |-> m.val])

Next ==
    \/ \E b \in Ballot :
          \/ Phase1a(b)
          \/ \E v \in Value : Phase2a(b, v)
    \/ \E a \in Acceptor : Phase1b(a) \/ Phase2b(a)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
ChosenAt(b, v) ==
    \E Q \in Quorum :
        \A a \in Q : [type |-> "2b", acc |-> a, bal |-> b, val |-> v] \in msgs

chosen == {v \in Value : \E b \in Ballot : ChosenAt(b, v)}

Agreement == Cardinality(chosen) <= 1

\* In one ballot at most one value is proposed, and votes follow proposals.
OneValuePerBallot ==
    \A m, n \in msgs : (m.type = "2a" /\ n.type = "2a" /\ m.bal = n.bal) => m = n

VotesAreProposed ==
    \A a \in Acceptor :
        accBallot[a] >= 0 => [type |-> "2a", bal |-> accBallot[a], val |-> accValue[a]] \in msgs
=============================================================================
