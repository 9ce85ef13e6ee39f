------------------------------ MODULE PySyncObj ------------------------------
(***************************************************************************)
(* PySyncObj 0.3.11 (syncobj.py), event by event: what a node does from    *)
(* the moment a message arrives, its timer expires or a command comes in,  *)
(* until it waits again. The specification says what the program does, not *)
(* what Raft wants: that votes are counted, not collected; that replies    *)
(* carry no term; that a reply to entries names the last of them and not   *)
(* the one behind it.                                                      *)
(*                                                                         *)
(* Nodes keep their log in memory (no journal file), so that there are no  *)
(* crashes here. Left out: commands at nodes that do not lead (they are    *)
(* forwarded), log compaction, changes of membership, the fallback of a    *)
(* leader that has heard of nobody for 30 seconds.                         *)
(*                                                                         *)
(* Fixed says which of four known mistakes are corrected:                  *)
(*   "commit"  a follower's commit index does not go back                  *)
(*   "next"    a late refusal does not take the next index below the match *)
(*   "match"   replies name the entry behind the last one; a late one does *)
(*             not take the match index back                               *)
(*   "term"    a leader counts copies only of entries of its own term      *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Server, Nobody,
    Fixed,
    Candidates,      \* bounds of the model: nodes whose election timer may expire,
    MaxTerm,         \*     the highest term,
    MaxHeartbeats,   \*     heartbeats,
    MaxCommands,     \*     commands of clients,
    MaxPartitions,   \*     partitions,
    MaxQueue         \*     messages on their way from one node to another

AllFixes == {"commit", "next", "match", "term"}
ASSUME Fixed \subseteq AllFixes

VARIABLES
    role,        \* __raftState: "follower", "candidate" or "leader"
    term,        \* __raftCurrentTerm
    voted,       \* __votedForNodeId
    votes,       \* __votesCount, of a candidate; else 0
    log,         \* __raftLog: for each entry its term; the first is there from the beginning
    commit,      \* __raftCommitIndex
    next,        \* __raftNextIndex, of a leader; else zeros
    match,       \* __raftMatchIndex, of a leader; else zeros
    net,         \* see TcpNetwork
    highCommit,  \* the highest commit index that a node has had,
    highMatch,   \* and match index, as leader of this term
    led,         \* the commit index with which a leader began
    used         \* how much of the bounds was used

node == <<role, term, voted, votes, log, commit, next, match>>
history == <<highCommit, highMatch, led>>
vars == <<node, net, history, used>>
WithoutCounters == <<node, net, history>>

Net == INSTANCE TcpNetwork WITH Node <- Server

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a < b THEN b ELSE a
Others(i) == Server \ {i}
IsQuorum(n) == 2 * n > Cardinality(Server)
Zeros == [j \in Server |-> 0]
Last(i) == Len(log[i])
LastTerm(i) == log[i][Len(log[i])]
Connected(i, j) == Net!Connected(net, i, j)

Init ==
    /\ role = [i \in Server |-> "follower"]
    /\ term = [i \in Server |-> 0]
    /\ voted = [i \in Server |-> Nobody]
    /\ votes = [i \in Server |-> 0]
    /\ log = [i \in Server |-> <<0>>]
    /\ commit = [i \in Server |-> 1]
    /\ next = [i \in Server |-> Zeros]
    /\ match = [i \in Server |-> Zeros]
    /\ net = Net!Init
    /\ highCommit = [i \in Server |-> 1]
    /\ highMatch = [i \in Server |-> Zeros]
    /\ led = [i \in Server |-> 0]
    /\ used = [heartbeats |-> 0, commands |-> 0, partitions |-> 0]

-----------------------------------------------------------------------------
\* __sendAppendEntries: what i sends to j, and its next index for j then. l is the log of i, n its
\* next index for j so far, c its commit index.

Entries(l, n) == SubSeq(l, n, Len(l))
AppendFrom(i, l, n, c) ==
    [type |-> "append_entries", term |-> term[i], commit |-> c,
     prev |-> n - 1, prevTerm |-> l[n - 1], entries |-> Entries(l, n)]
NextAfter(l, n) == IF n <= Len(l) THEN Len(l) + 1 ELSE n

-----------------------------------------------------------------------------
\* Timers

Timeout(i) ==
    /\ role[i] # "leader"
    /\ i \in Candidates
    /\ term[i] < MaxTerm
    /\ \E j \in Others(i) : Connected(i, j)
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ voted' = [voted EXCEPT ![i] = i]
    /\ votes' = [votes EXCEPT ![i] = 1]
    /\ LET message(j) == [type |-> "request_vote", term |-> term[i] + 1, last |-> Last(i), lastTerm |-> LastTerm(i)]
       IN  net' = Net!Broadcast(net, i, message)
    /\ UNCHANGED <<log, commit, next, match, history, used>>

Heartbeat(i) ==
    /\ role[i] = "leader"
    /\ used.heartbeats < MaxHeartbeats
    /\ used' = [used EXCEPT !.heartbeats = @ + 1]
    /\ LET message(j) == AppendFrom(i, log[i], next[i][j], commit[i])
       IN  net' = Net!Broadcast(net, i, message)
    /\ next' = [next EXCEPT ![i] = [j \in Server |->
           IF j # i /\ Connected(i, j) THEN NextAfter(log[i], @[j]) ELSE @[j]]]
    /\ UNCHANGED <<role, term, voted, votes, log, commit, match, history>>

\* A client gives the leader a command. It is sent with the next heartbeat.
Command(i) ==
    /\ role[i] = "leader"
    /\ used.commands < MaxCommands
    /\ used' = [used EXCEPT !.commands = @ + 1]
    /\ log' = [log EXCEPT ![i] = Append(@, term[i])]
    /\ UNCHANGED <<role, term, voted, votes, commit, next, match, net, history>>

-----------------------------------------------------------------------------
\* Node i receives message m from j. n is the network without m.

OnRequestVote(i, j, m, n) ==
    LET newer == m.term > term[i]
        free  == newer \/ voted[i] = Nobody
        good  == m.lastTerm > LastTerm(i) \/ (m.lastTerm = LastTerm(i) /\ m.last >= Last(i))
        grant == /\ newer \/ role[i] # "leader"
                 /\ m.term >= term[i]
                 /\ good /\ free
    IN  /\ IF newer
           THEN /\ term' = [term EXCEPT ![i] = m.term]
                /\ role' = [role EXCEPT ![i] = "follower"]
                /\ votes' = [votes EXCEPT ![i] = 0]
                /\ next' = [next EXCEPT ![i] = Zeros]
                /\ match' = [match EXCEPT ![i] = Zeros]
                /\ highMatch' = [highMatch EXCEPT ![i] = Zeros]
                /\ led' = [led EXCEPT ![i] = 0]
           ELSE UNCHANGED <<term, role, votes, next, match, highMatch, led>>
        /\ voted' = [voted EXCEPT ![i] = IF grant THEN j ELSE IF newer THEN Nobody ELSE @]
        /\ net' = IF grant THEN Net!Send(n, i, j, [type |-> "response_vote", term |-> m.term]) ELSE n
        /\ UNCHANGED <<log, commit, highCommit, used>>

\* __onBecomeLeader: an entry of its own, and the first heartbeat.
Lead(i, n) ==
    LET l == Append(log[i], term[i])
        message(j) == AppendFrom(i, l, Len(l), commit[i])
    IN  /\ role' = [role EXCEPT ![i] = "leader"]
        /\ votes' = [votes EXCEPT ![i] = 0]
        /\ log' = [log EXCEPT ![i] = l]
        /\ next' = [next EXCEPT ![i] = [j \in Server |->
               IF j = i THEN 0 ELSE IF Connected(i, j) THEN Len(l) + 1 ELSE Len(l)]]
        /\ net' = Net!Broadcast(n, i, message)
        /\ led' = [led EXCEPT ![i] = commit[i]]
        /\ UNCHANGED <<term, voted, commit, match, highCommit, highMatch, used>>

OnResponseVote(i, j, m, n) ==
    IF role[i] = "candidate" /\ m.term = term[i]
    THEN IF IsQuorum(votes[i] + 1)
         THEN Lead(i, n)
         ELSE /\ votes' = [votes EXCEPT ![i] = @ + 1]
              /\ net' = n
              /\ UNCHANGED <<role, term, voted, log, commit, next, match, history, used>>
    ELSE /\ net' = n
         /\ UNCHANGED <<node, history, used>>

\* __sendNextNodeIdx
Reply(k, reset, ok) == [type |-> "next_node_idx", next |-> k, reset |-> reset, success |-> ok]

OnAppendEntries(i, j, m, n) ==
    LET known == m.prev <= Last(i)
        fits  == known /\ log[i][m.prev] = m.prevTerm
        l     == SubSeq(log[i], 1, m.prev) \o m.entries
        after == IF m.entries = <<>> THEN m.prev + 1
                 ELSE IF "match" \in Fixed THEN Len(l) + 1 ELSE Len(l)
        c     == Min(m.commit, Len(l))
        new   == IF "commit" \in Fixed THEN Max(commit[i], c) ELSE c
    IN  IF m.term < term[i]
        THEN /\ net' = n
             /\ UNCHANGED <<node, history, used>>
        ELSE /\ term' = [term EXCEPT ![i] = m.term]
             /\ voted' = [voted EXCEPT ![i] = IF m.term > term[i] THEN Nobody ELSE @]
             /\ role' = [role EXCEPT ![i] = "follower"]
             /\ votes' = [votes EXCEPT ![i] = 0]
             /\ next' = [next EXCEPT ![i] = Zeros]
             /\ match' = [match EXCEPT ![i] = Zeros]
             /\ highMatch' = [highMatch EXCEPT ![i] = Zeros]
             /\ led' = [led EXCEPT ![i] = 0]
             /\ net' = Net!Send(n, i, j,
                          IF ~known THEN Reply(Last(i) + 1, TRUE, FALSE)
                          ELSE IF ~fits THEN Reply(m.prev, TRUE, FALSE)
                          ELSE Reply(after, FALSE, TRUE))
             /\ log' = IF fits THEN [log EXCEPT ![i] = l] ELSE log
             /\ commit' = IF fits THEN [commit EXCEPT ![i] = new] ELSE commit
             /\ highCommit' = IF fits THEN [highCommit EXCEPT ![i] = Max(@, new)] ELSE highCommit
             /\ UNCHANGED used

\* The loop in _onTick: one entry after the other, as long as enough nodes have it.
AdvanceCommit(i, known) ==
    LET have(k) == IsQuorum(1 + Cardinality({j \in Others(i) : known[j] >= k}))
        ks      == {k \in commit[i] + 1 .. Last(i) : \A x \in commit[i] + 1 .. k : have(x)}
        own     == IF "term" \in Fixed THEN {k \in ks : log[i][k] = term[i]} ELSE ks
    IN  IF own = {} THEN commit[i] ELSE CHOOSE k \in own : \A x \in own : x <= k

OnNextNodeIdx(i, j, m, n) ==
    LET known == IF ~m.success THEN match[i][j]
                 ELSE IF "match" \in Fixed THEN Max(match[i][j], m.next - 1) ELSE m.next - 1
        nx    == IF ~m.reset THEN next[i][j]
                 ELSE IF "next" \in Fixed THEN Max(m.next, match[i][j] + 1) ELSE m.next
        c     == AdvanceCommit(i, [match[i] EXCEPT ![j] = known])
    IN  IF role[i] # "leader"
        THEN /\ net' = n
             /\ UNCHANGED <<node, history, used>>
        ELSE /\ match' = [match EXCEPT ![i][j] = known]
             /\ highMatch' = [highMatch EXCEPT ![i][j] = Max(@, known)]
             /\ next' = [next EXCEPT ![i][j] = nx]
             /\ commit' = [commit EXCEPT ![i] = c]
             /\ highCommit' = [highCommit EXCEPT ![i] = Max(@, c)]
             /\ net' = n
             /\ UNCHANGED <<role, term, voted, votes, log, led, used>>

Receive(i, j) ==
    /\ i # j
    /\ Net!CanReceive(net, j, i)
    /\ LET m == Net!First(net, j, i)
           n == Net!Take(net, j, i)
       IN  CASE m.type = "request_vote"   -> OnRequestVote(i, j, m, n)
             [] m.type = "response_vote"  -> OnResponseVote(i, j, m, n)
             [] m.type = "append_entries" -> OnAppendEntries(i, j, m, n)
             [] m.type = "next_node_idx"  -> OnNextNodeIdx(i, j, m, n)

-----------------------------------------------------------------------------
\* Faults

Isolate(i) ==
    /\ used.partitions < MaxPartitions
    /\ ~Net!IsPartitioned(net)
    /\ used' = [used EXCEPT !.partitions = @ + 1]
    /\ net' = Net!Partition(net, {i})
    /\ UNCHANGED <<node, history>>

Heal ==
    /\ Net!IsPartitioned(net)
    /\ net' = Net!Heal(net)
    /\ UNCHANGED <<node, history, used>>

-----------------------------------------------------------------------------
Next ==
    \/ \E i \in Server :
          \/ Timeout(i)
          \/ Heartbeat(i)
          \/ Command(i)
          \/ \E j \in Server : Receive(i, j)
          \/ Isolate(i)
    \/ Heal

Spec == Init /\ [][Next]_vars

QueuesFit == Net!Fits(net, MaxQueue)

-----------------------------------------------------------------------------
\* What Raft wants

ElectionSafety ==
    \A i, j \in Server : (role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j]) => i = j

LogMatching ==
    \A i, j \in Server :
        \A k \in 1 .. Min(Last(i), Last(j)) :
            log[i][k] = log[j][k] => SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

CommittedIsThere == \A i \in Server : commit[i] <= Last(i)

CommitMonotonic == \A i \in Server : commit[i] >= highCommit[i]
MatchMonotonic == \A i, j \in Server : match[i][j] >= highMatch[i][j]
NextAboveMatch == \A i, j \in Server : (role[i] = "leader" /\ i # j) => next[i][j] > match[i][j]
CommitsOwnTerm ==
    \A i \in Server : (role[i] = "leader" /\ commit[i] > led[i]) => log[i][commit[i]] = term[i]

\* Not an invariant of Raft: a follower that has accepted something from a leader may know more than it.
\* With "commit" in Fixed, a behaviour that violates it shows where the program differs from the correction.
LeaderKnowsMost ==
    \A i, j \in Server :
        (/\ role[i] = "leader" /\ i # j /\ term[i] = term[j]
         /\ \E k \in 1 .. Net!InFlight(net, j, i) :
               net.queue[<<j, i>>][k].type = "next_node_idx" /\ net.queue[<<j, i>>][k].success)
        => commit[j] <= commit[i]
=============================================================================
