-------------------------------- MODULE Raft --------------------------------
(***************************************************************************)
(* Raft without membership changes and snapshots, at the level of figure 2 *)
(* of "In Search of an Understandable Consensus Algorithm". Every message  *)
(* is a record in a bag; it may be delivered in any order, be lost, and be *)
(* delivered twice. Constants with Max in their names bound the model.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences, TLC

CONSTANTS
    Server, Value, None,
    MaxTerm, MaxLog, MaxInBag, MaxCopies, MaxRestarts

VARIABLES
    bag,          \* messages on their way: a function from messages to numbers
    term, role, vote,                 \* of each server
    log, committed,
    granted,      \* votes that a candidate has got
    next, match,  \* what a leader believes of the others
    restarts

electionVars == <<term, role, vote, granted>>
logVars == <<log, committed>>
leaderVars == <<next, match>>
vars == <<bag, electionVars, logVars, leaderVars, restarts>>

Quorum == {Q \in SUBSET Server : Cardinality(Q) * 2 > Cardinality(Server)}

LastTerm(entries) == IF Len(entries) = 0 THEN 0 ELSE entries[Len(entries)].term

Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y

-----------------------------------------------------------------------------
\* The bag of messages

Put(m, b) ==
    IF m \in DOMAIN b THEN [b EXCEPT ![m] = @ + 1] ELSE b @@ (m :> 1)

TakeOut(m, b) ==
    IF b[m] = 1
        THEN [x \in DOMAIN b \ {m} |-> b[x]]
        ELSE [b EXCEPT ![m] = @ - 1]

Send(m) == bag' = Put(m, bag)
Discard(m) == bag' = TakeOut(m, bag)
Reply(answer, request) == bag' = TakeOut(request, Put(answer, bag))

-----------------------------------------------------------------------------
Init ==
    /\ bag = [m \in {} |-> 0]
    /\ term = [i \in Server |-> 1]
    /\ role = [i \in Server |-> "Follower"]
    /\ vote = [i \in Server |-> None]
    /\ granted = [i \in Server |-> {}]
    /\ log = [i \in Server |-> <<>>]
    /\ committed = [i \in Server |-> 0]
    /\ next = [i \in Server |-> [j \in Server |-> 1]]
    /\ match = [i \in Server |-> [j \in Server |-> 0]]
    /\ restarts = 0

-----------------------------------------------------------------------------
\* What servers do by themselves

\* Everything but term, vote and log is lost.
Restart(i) ==
    /\ restarts < MaxRestarts
    /\ restarts' = restarts + 1
    /\ role' = [role EXCEPT ![i] = "Follower"]
    /\ granted' = [granted EXCEPT ![i] = {}]
    /\ next' = [next EXCEPT ![i] = [j \in Server |-> 1]]
    /\ match' = [match EXCEPT ![i] = [j \in Server |-> 0]]
    /\ committed' = [committed EXCEPT ![i] = 0]
    /\ UNCHANGED <<bag, term, vote, log>>

Timeout(i) ==
    /\ role[i] \in {"Follower", "Candidate"}
    /\ role' = [role EXCEPT ![i] = "Candidate"]
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ vote' = [vote EXCEPT ![i] = i]
    /\ granted' = [granted EXCEPT ![i] = {i}]
    /\ UNCHANGED <<bag, logVars, leaderVars, restarts>>

AskVote(i, j) ==
    /\ role[i] = "Candidate"
    /\ j \notin granted[i]
    /\ Send([kind    |-> "VoteRequest",
             term    |-> term[i],
             lastLen |-> Len(log[i]),
             lastTerm |-> LastTerm(log[i]),
             from    |-> i,
             to      |-> j])
    /\ UNCHANGED <<electionVars, logVars, leaderVars, restarts>>

BecomeLeader(i) ==
    /\ role[i] = "Candidate"
    /\ granted[i] \in Quorum
    /\ role' = [role EXCEPT ![i] = "Leader"]
    /\ next' = [next EXCEPT ![i] = [j \in Server |-> Len(log[i]) + 1]]
    /\ match' = [match EXCEPT ![i] = [j \in Server |-> 0]]
    /\ UNCHANGED <<bag, term, vote, granted, logVars, restarts>>

ClientRequest(i, v) ==
    /\ role[i] = "Leader"
    /\ log' = [log EXCEPT ![i] = Append(@, [term |-> term[i], value |-> v])]
    /\ UNCHANGED <<bag, electionVars, committed, leaderVars, restarts>>

\* Up to one entry per message; without an entry it is a heartbeat.
AppendEntries(i, j) ==
    /\ i # j
    /\ role[i] = "Leader"
    /\ LET prev == next[i][j] - 1
           last == Min({Len(log[i]), next[i][j]})
       IN  Send([kind      |-> "AppendRequest",
                 term      |-> term[i],
                 prevIndex |-> prev,
                 prevTerm  |-> IF prev > 0 THEN log[i][prev].term ELSE 0,
                 entries   |-> SubSeq(log[i], next[i][j], last),
                 commit    |-> Min({committed[i], last}),
                 from      |-> i,
                 to        |-> j])
    /\ UNCHANGED <<electionVars, logVars, leaderVars, restarts>>

AdvanceCommit(i) ==
    /\ role[i] = "Leader"
    /\ LET Agree(k) == {i} \cup {j \in Server : match[i][j] >= k}
           held == {k \in 1 .. Len(log[i]) : Agree(k) \in Quorum}
           new  == IF held # {} /\ log[i][Max(held)].term = term[i]
                       THEN Max(held)
                       ELSE committed[i]
       IN  committed' = [committed EXCEPT ![i] = new]
    /\ UNCHANGED <<bag, electionVars, log, leaderVars, restarts>>

-----------------------------------------------------------------------------
\* What server i does with message m from j

OnVoteRequest(i, j, m) ==
    LET fresh == \/ m.lastTerm > LastTerm(log[i])
                 \/ m.lastTerm = LastTerm(log[i]) /\ m.lastLen >= Len(log[i])
        grant == m.term = term[i] /\ fresh /\ vote[i] \in {None, j}
    IN  /\ m.term <= term[i]
        /\ IF grant THEN vote' = [vote EXCEPT ![i] = j] ELSE UNCHANGED vote
        /\ Reply([kind    |-> "VoteReply",
                  term    |-> term[i],
                  granted |-> grant,
                  from    |-> i,
                  to      |-> j], m)
        /\ UNCHANGED <<term, role, granted, logVars, leaderVars, restarts>>

OnVoteReply(i, j, m) ==
    /\ m.term = term[i]
    /\ granted' = IF m.granted THEN [granted EXCEPT ![i] = @ \cup {j}] ELSE granted
    /\ Discard(m)
    /\ UNCHANGED <<term, role, vote, logVars, leaderVars, restarts>>

Fits(i, m) ==
    \/ m.prevIndex = 0
    \/ /\ m.prevIndex > 0
       /\ m.prevIndex <= Len(log[i])
       /\ m.prevTerm = log[i][m.prevIndex].term

RejectAppend(i, j, m) ==
    /\ \/ m.term < term[i]
       \/ m.term = term[i] /\ role[i] = "Follower" /\ ~Fits(i, m)
    /\ Reply([kind |-> "AppendReply", term |-> term[i], ok |-> FALSE, upTo |-> 0,
              from |-> i, to |-> j], m)
    /\ UNCHANGED <<electionVars, logVars, leaderVars, restarts>>

YieldToLeader(i, m) ==
    /\ m.term = term[i]
    /\ role[i] = "Candidate"
    /\ role' = [role EXCEPT ![i] = "Follower"]
    /\ UNCHANGED <<bag, term, vote, granted, logVars, leaderVars, restarts>>

AcceptAppend(i, j, m) ==
    LET index == m.prevIndex + 1
        holds == IF m.entries = <<>>
                    THEN TRUE
                    ELSE Len(log[i]) >= index /\ log[i][index].term = m.entries[1].term
        clash == m.entries # <<>> /\ Len(log[i]) >= index /\ log[i][index].term # m.entries[1].term
        misses == m.entries # <<>> /\ Len(log[i]) = m.prevIndex
    IN  /\ m.term = term[i]
        /\ role[i] = "Follower"
        /\ Fits(i, m)
        /\ \/ /\ holds
              /\ committed' = [committed EXCEPT ![i] = Max({@, m.commit})]
              /\ Reply([kind |-> "AppendReply", term |-> term[i], ok |-> TRUE,
                        upTo |-> m.prevIndex + Len(m.entries),
                        from |-> i, to |-> j], m)
              /\ UNCHANGED log
           \/ /\ clash
              /\ log' = [log EXCEPT ![i] = SubSeq(@, 1, Len(@) - 1)]
              /\ UNCHANGED <<bag, committed>>
           \/ /\ misses
              /\ log' = [log EXCEPT ![i] = Append(@, m.entries[1])]
              /\ UNCHANGED <<bag, committed>>
        /\ UNCHANGED <<electionVars, leaderVars, restarts>>

OnAppendRequest(i, j, m) ==
    \/ RejectAppend(i, j, m)
    \/ YieldToLeader(i, m)
    \/ AcceptAppend(i, j, m)

OnAppendReply(i, j, m) ==
    /\ m.term = term[i]
    /\ IF m.ok
          THEN /\ next' = [next EXCEPT ![i][j] = m.upTo + 1]
               /\ match' = [match EXCEPT ![i][j] = m.upTo]
          ELSE /\ next' = [next EXCEPT ![i][j] = Max({@ - 1, 1})]
               /\ UNCHANGED match
    /\ Discard(m)
    /\ UNCHANGED <<electionVars, logVars, restarts>>

\* A newer term: forget the old one, and look at the message again.
LearnTerm(i, m) ==
    /\ m.term > term[i]
    /\ term' = [term EXCEPT ![i] = m.term]
    /\ role' = [role EXCEPT ![i] = "Follower"]
    /\ vote' = [vote EXCEPT ![i] = None]
    /\ UNCHANGED <<bag, granted, logVars, leaderVars, restarts>>

DropStale(i, m) ==
    /\ m.term < term[i]
    /\ Discard(m)
    /\ UNCHANGED <<electionVars, logVars, leaderVars, restarts>>

Receive(m) ==
    LET i == m.to
        j == m.from
    IN  \/ LearnTerm(i, m)
        \/ m.kind = "VoteRequest" /\ OnVoteRequest(i, j, m)
        \/ m.kind = "VoteReply" /\ (DropStale(i, m) \/ OnVoteReply(i, j, m))
        \/ m.kind = "AppendRequest" /\ OnAppendRequest(i, j, m)
        \/ m.kind = "AppendReply" /\ (DropStale(i, m) \/ OnAppendReply(i, j, m))

-----------------------------------------------------------------------------
\* What the network does

Duplicate(m) ==
    /\ bag[m] < MaxCopies
    /\ Send(m)
    /\ UNCHANGED <<electionVars, logVars, leaderVars, restarts>>

Lose(m) ==
    /\ Discard(m)
    /\ UNCHANGED <<electionVars, logVars, leaderVars, restarts>>

Next ==
    \/ \E i \in Server : Restart(i)
    \/ \E i \in Server : Timeout(i)
    \/ \E i, j \in Server : AskVote(i, j)
    \/ \E i \in Server : BecomeLeader(i)
    \/ \E i \in Server, v \in Value : ClientRequest(i, v)
    \/ \E i \in Server : AdvanceCommit(i)
    \/ \E i, j \in Server : AppendEntries(i, j)
    \/ \E m \in DOMAIN bag : Receive(m)
    \/ \E m \in DOMAIN bag : Duplicate(m)
    \/ \E m \in DOMAIN bag : Lose(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* The bounds of the model

Bounded ==
    /\ Cardinality(DOMAIN bag) <= MaxInBag
    /\ \A m \in DOMAIN bag : bag[m] <= MaxCopies
    /\ \A i \in Server : term[i] <= MaxTerm /\ Len(log[i]) <= MaxLog

-----------------------------------------------------------------------------
\* What is checked

TypeOK ==
    /\ \A i \in Server :
          /\ term[i] \in Nat \ {0}
          /\ role[i] \in {"Follower", "Candidate", "Leader"}
          /\ vote[i] \in Server \cup {None}
          /\ granted[i] \subseteq Server
          /\ committed[i] \in 0 .. Len(log[i])
          /\ \A k \in 1 .. Len(log[i]) : log[i][k].term \in Nat /\ log[i][k].value \in Value
          /\ \A j \in Server : next[i][j] \in Nat \ {0} /\ match[i][j] \in Nat
    /\ \A m \in DOMAIN bag : bag[m] > 0 /\ m.from \in Server /\ m.to \in Server

OneLeaderPerTerm ==
    \A i, j \in Server :
        (role[i] = "Leader" /\ role[j] = "Leader" /\ term[i] = term[j]) => i = j

LogMatching ==
    \A i, j \in Server :
        \A k \in 1 .. Min({Len(log[i]), Len(log[j])}) :
            log[i][k].term = log[j][k].term =>
                SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

CommittedAgree ==
    \A i, j \in Server :
        \A k \in 1 .. Min({committed[i], committed[j]}) : log[i][k] = log[j][k]
=============================================================================
