------------------------------ MODULE RaftTcp -------------------------------
(***************************************************************************)
(* Raft over the bundled module TcpNetwork: messages between two servers   *)
(* arrive in order; a crash or a partition loses what is on its way. A     *)
(* leader sends everything that a follower lacks in one message.           *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, Nil, MaxTerm, MaxLog, MaxQueue, MaxFaults

VARIABLES
    net,                                  \* see TcpNetwork
    currentTerm, votedFor, log,           \* on disk
    state, votes, commitIndex, matchIndex, nextIndex,
    faults                                \* crashes and partitions so far

diskVars == <<currentTerm, votedFor, log>>
leaderVars == <<matchIndex, nextIndex>>
vars == <<net, diskVars, state, votes, commitIndex, leaderVars, faults>>

Net == INSTANCE TcpNetwork WITH Node <- Server

Others(i) == Server \ {i}
Majority(S) == Cardinality(S) > Cardinality(Server) \div 2
Least(a, b) == IF a <= b THEN a ELSE b
TermAt(entries, k) == IF k = 0 THEN 0 ELSE entries[k]
LastTerm(entries) == TermAt(entries, Len(entries))

\* A log is a sequence of terms: what the entries carry does not matter here.
Init ==
    /\ net = Net!Init
    /\ currentTerm = [i \in Server |-> 0]
    /\ votedFor = [i \in Server |-> Nil]
    /\ log = [i \in Server |-> <<>>]
    /\ state = [i \in Server |-> "follower"]
    /\ votes = [i \in Server |-> {}]
    /\ commitIndex = [i \in Server |-> 0]
    /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]
    /\ nextIndex = [i \in Server |-> [j \in Server |-> 1]]
    /\ faults = 0

Up(i) == ~Net!IsDown(net, i)

-----------------------------------------------------------------------------
\* Timers and clients

StartElection(i) ==
    /\ Up(i)
    /\ state[i] # "leader"
    /\ currentTerm[i] < MaxTerm
    /\ currentTerm' = [currentTerm EXCEPT ![i] = @ + 1]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ state' = [state EXCEPT ![i] = "candidate"]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ LET request(j) == [type |-> "RequestVote", term |-> currentTerm[i] + 1,
                          lastIndex |-> Len(log[i]), lastTerm |-> LastTerm(log[i])]
       IN  net' = Net!Broadcast(net, i, request)
    /\ UNCHANGED <<log, commitIndex, leaderVars, faults>>

ClientRequest(i) ==
    /\ Up(i)
    /\ state[i] = "leader"
    /\ Len(log[i]) < MaxLog
    /\ log' = [log EXCEPT ![i] = Append(@, currentTerm[i])]
    /\ UNCHANGED <<net, currentTerm, votedFor, state, votes, commitIndex, leaderVars, faults>>

Replicate(i, j) ==
    /\ Up(i)
    /\ state[i] = "leader"
    /\ Net!Connected(net, i, j)
    /\ Net!InFlight(net, i, j) < MaxQueue
    /\ LET prev == nextIndex[i][j] - 1
       IN  net' = Net!Send(net, i, j,
                [type |-> "Append", term |-> currentTerm[i], prevIndex |-> prev,
                 prevTerm |-> TermAt(log[i], prev),
                 entries |-> SubSeq(log[i], prev + 1, Len(log[i])),
                 commit |-> commitIndex[i]])
    /\ UNCHANGED <<diskVars, state, votes, commitIndex, leaderVars, faults>>

Commit(i) ==
    /\ Up(i)
    /\ state[i] = "leader"
    /\ \E k \in commitIndex[i] + 1 .. Len(log[i]) :
          /\ log[i][k] = currentTerm[i]
          /\ Majority({i} \cup {j \in Server : matchIndex[i][j] >= k})
          /\ commitIndex' = [commitIndex EXCEPT ![i] = k]
    /\ UNCHANGED <<net, diskVars, state, votes, leaderVars, faults>>

-----------------------------------------------------------------------------
\* Messages: i takes m, the first of those from j, off the connection

Answer(i, j, m) == Net!Send(Net!Take(net, j, i), i, j, m)

HandleRequestVote(i, j, m) ==
    LET newTerm == m.term > currentTerm[i]
        free == newTerm \/ votedFor[i] \in {Nil, j}
        good == \/ m.lastTerm > LastTerm(log[i])
                \/ m.lastTerm = LastTerm(log[i]) /\ m.lastIndex >= Len(log[i])
        yes == m.term >= currentTerm[i] /\ free /\ good
    IN  /\ currentTerm' = [currentTerm EXCEPT ![i] = IF newTerm THEN m.term ELSE @]
        /\ state' = [state EXCEPT ![i] = IF newTerm THEN "follower" ELSE @]
        /\ votes' = [votes EXCEPT ![i] = IF newTerm THEN {} ELSE @]
        /\ votedFor' = [votedFor EXCEPT ![i] = IF yes THEN j ELSE IF newTerm THEN Nil ELSE @]
        /\ net' = Answer(i, j, [type |-> "Vote", term |-> currentTerm'[i], granted |-> yes])
        /\ UNCHANGED <<log, commitIndex, leaderVars, faults>>

StepDown(i, m) ==
    /\ currentTerm' = [currentTerm EXCEPT ![i] = m.term]
    /\ state' = [state EXCEPT ![i] = "follower"]
    /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
    /\ votes' = [votes EXCEPT ![i] = {}]

HandleVote(i, j, m) ==
    /\ net' = Net!Take(net, j, i)
    /\ IF m.term > currentTerm[i]
          THEN StepDown(i, m) /\ UNCHANGED leaderVars
          ELSE /\ UNCHANGED <<currentTerm, votedFor>>
               /\ IF m.term = currentTerm[i] /\ state[i] = "candidate" /\ m.granted
                     THEN IF Majority(votes[i] \cup {j})
                             THEN /\ state' = [state EXCEPT ![i] = "leader"]
                                  /\ votes' = [votes EXCEPT ![i] = {}]
                                  /\ nextIndex' = [nextIndex EXCEPT ![i] = [k \in Server |-> Len(log[i]) + 1]]
                                  /\ matchIndex' = [matchIndex EXCEPT ![i] = [k \in Server |-> 0]]
                             ELSE /\ votes' = [votes EXCEPT ![i] = @ \cup {j}]
                                  /\ UNCHANGED <<state, leaderVars>>
                     ELSE UNCHANGED <<state, votes, leaderVars>>
    /\ UNCHANGED <<log, commitIndex, faults>>

\* What is left of our log when the entries of m are put behind m.prevIndex.
Merged(entries, m) ==
    LET conflict == \E k \in 1 .. Len(m.entries) :
                       m.prevIndex + k <= Len(entries) /\ entries[m.prevIndex + k] # m.entries[k]
        longer == m.prevIndex + Len(m.entries) > Len(entries)
    IN  IF conflict \/ longer THEN SubSeq(entries, 1, m.prevIndex) \o m.entries ELSE entries

HandleAppend(i, j, m) ==
    /\ IF m.term < currentTerm[i]
          THEN /\ net' = Answer(i, j, [type |-> "Appended", term |-> currentTerm[i], ok |-> FALSE, index |-> 0])
               /\ UNCHANGED <<diskVars, state, votes, commitIndex>>
          ELSE LET fits == m.prevIndex <= Len(log[i]) /\ TermAt(log[i], m.prevIndex) = m.prevTerm
                   upTo == m.prevIndex + Len(m.entries)
               IN  /\ currentTerm' = [currentTerm EXCEPT ![i] = m.term]
                   /\ state' = [state EXCEPT ![i] = "follower"]
                   /\ votes' = [votes EXCEPT ![i] = {}]
                   /\ votedFor' = [votedFor EXCEPT ![i] = IF m.term > currentTerm[i] THEN Nil ELSE @]
                   /\ log' = IF fits THEN [log EXCEPT ![i] = Merged(@, m)] ELSE log
                   /\ commitIndex' = IF fits /\ Least(m.commit, upTo) > commitIndex[i]
                                        THEN [commitIndex EXCEPT ![i] = Least(m.commit, upTo)]
                                        ELSE commitIndex
                   /\ net' = Answer(i, j, [type |-> "Appended", term |-> m.term, ok |-> fits,
                                           index |-> IF fits THEN upTo ELSE Least(m.prevIndex, Len(log[i]))])
    /\ UNCHANGED <<leaderVars, faults>>

HandleAppended(i, j, m) ==
    /\ net' = Net!Take(net, j, i)
    /\ IF m.term > currentTerm[i]
          THEN StepDown(i, m) /\ UNCHANGED leaderVars
          ELSE /\ UNCHANGED <<currentTerm, votedFor, state, votes>>
               /\ IF m.term < currentTerm[i] \/ state[i] # "leader"
                     THEN UNCHANGED leaderVars
                     ELSE IF m.ok
                        THEN /\ matchIndex' = [matchIndex EXCEPT ![i][j] = IF m.index > @ THEN m.index ELSE @]
                             /\ nextIndex' = [nextIndex EXCEPT ![i][j] = matchIndex'[i][j] + 1]
                        ELSE /\ nextIndex' = [nextIndex EXCEPT ![i][j] = IF @ > 1 THEN @ - 1 ELSE 1]
                             /\ UNCHANGED matchIndex
    /\ UNCHANGED <<log, commitIndex, faults>>

Receive(i, j) ==
    /\ Net!CanReceive(net, j, i)
    /\ LET m == Net!First(net, j, i)
       IN  CASE m.type = "RequestVote" -> HandleRequestVote(i, j, m)
             [] m.type = "Vote"        -> HandleVote(i, j, m)
             [] m.type = "Append"      -> HandleAppend(i, j, m)
             [] m.type = "Appended"    -> HandleAppended(i, j, m)

-----------------------------------------------------------------------------
\* Faults

Crash(i) ==
    /\ Up(i)
    /\ faults < MaxFaults
    /\ faults' = faults + 1
    /\ net' = Net!Crash(net, i)
    /\ state' = [state EXCEPT ![i] = "follower"]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ commitIndex' = [commitIndex EXCEPT ![i] = 0]
    /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
    /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> 1]]
    /\ UNCHANGED diskVars

Restart(i) ==
    /\ ~Up(i)
    /\ net' = Net!Restart(net, i)
    /\ UNCHANGED <<diskVars, state, votes, commitIndex, leaderVars, faults>>

Partition ==
    /\ faults < MaxFaults
    /\ ~Net!IsPartitioned(net)
    /\ \E i \in Server : net' = Net!Partition(net, {i})
    /\ faults' = faults + 1
    /\ UNCHANGED <<diskVars, state, votes, commitIndex, leaderVars>>

Heal ==
    /\ Net!IsPartitioned(net)
    /\ net' = Net!Heal(net)
    /\ UNCHANGED <<diskVars, state, votes, commitIndex, leaderVars, faults>>

Next ==
    \/ \E i \in Server :
          \/ StartElection(i) \/ ClientRequest(i) \/ Commit(i)
          \/ Crash(i) \/ Restart(i)
          \/ \E j \in Others(i) : Replicate(i, j) \/ Receive(i, j)
    \/ Partition
    \/ Heal

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
ShortQueues == \A i \in Server : \A j \in Others(i) : Net!InFlight(net, i, j) <= MaxQueue

TypeOK ==
    /\ currentTerm \in [Server -> 0 .. MaxTerm]
    /\ votedFor \in [Server -> Server \cup {Nil}]
    /\ \A i \in Server : log[i] \in Seq(1 .. MaxTerm) /\ Len(log[i]) <= MaxLog
    /\ state \in [Server -> {"follower", "candidate", "leader"}]
    /\ votes \in [Server -> SUBSET Server]
    /\ commitIndex \in [Server -> 0 .. MaxLog]
    /\ matchIndex \in [Server -> [Server -> 0 .. MaxLog]]
    /\ nextIndex \in [Server -> [Server -> 1 .. MaxLog + 1]]

OneLeaderPerTerm ==
    \A i, j \in Server :
        (i # j /\ state[i] = "leader" /\ state[j] = "leader") => currentTerm[i] # currentTerm[j]

CommittedAgree ==
    \A i, j \in Server :
        LET k == Least(commitIndex[i], commitIndex[j])
        IN  SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

\* The newest leader has everything that is committed.
LeaderComplete ==
    \A i \in Server :
        (state[i] = "leader" /\ \A j \in Server : currentTerm[j] <= currentTerm[i]) =>
            \A j \in Server : SubSeq(log[i], 1, commitIndex[j]) = SubSeq(log[j], 1, commitIndex[j])
=============================================================================
