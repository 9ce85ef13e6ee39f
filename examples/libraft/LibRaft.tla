------------------------------- MODULE LibRaft -------------------------------
(***************************************************************************)
(* canonical/raft 0.15.0 as Debian packages it, event by event: what a     *)
(* node does from the moment a message arrives, its timer expires or a     *)
(* command comes in, until it waits again, under the struct raft_io of     *)
(* node.c. The names of definitions are those of the library's functions.  *)
(*                                                                         *)
(* It says what the library does: a node that knows a leader refuses to    *)
(* vote and does not even look at the term; a leader counts copies of its  *)
(* last entry whatever its term; a follower answers with the length of its *)
(* log, which may be longer than what it was sent.                         *)
(*                                                                         *)
(* Left out: crashes, snapshots, changes of membership, pre-vote, transfer *)
(* of leadership, leaders that step down because they hear of nobody.      *)
(*                                                                         *)
(* Fixed says which mistakes are corrected:                                *)
(*   "term"   a leader counts copies only of entries of its own term       *)
(*   "match"  an answer says how far the logs agree                        *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Server, Nobody,
    Fixed,
    Candidates,      \* bounds of the model: nodes whose election timer may expire,
    MaxTerm,         \*     the highest term (the first is 1),
    MaxHeartbeats,   \*     heartbeats,
    MaxCommands,     \*     commands of clients,
    MaxPartitions,   \*     partitions,
    MaxQueue         \*     messages on their way from one node to another

ASSUME Fixed \subseteq {"term", "match"}

VARIABLES
    role,      \* state: "follower", "candidate", "leader", or "unavailable"
    term,      \* current_term
    vote,      \* voted_for
    leader,    \* follower_state.current_leader, of a follower
    votes,     \* candidate_state.votes: who has voted, of a candidate
    log,       \* for each entry its term; the first is the configuration
    commit,    \* commit_index
    next,      \* leader_state.progress: next_index, of a leader; else zeros,
    match,     \*     match_index; of the leader itself what is on its disk,
    piped,     \*     the nodes in state PIPELINE; the others are in PROBE
    net,       \* see TcpNetwork
    led,       \* the commit index with which a leader began
    used       \* how much of the bounds was used

node == <<role, term, vote, leader, votes, log, commit, next, match, piped>>
vars == <<node, net, led, used>>
WithoutCounters == <<node, net, led>>

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
    /\ term = [i \in Server |-> 1]
    /\ vote = [i \in Server |-> Nobody]
    /\ leader = [i \in Server |-> Nobody]
    /\ votes = [i \in Server |-> {}]
    /\ log = [i \in Server |-> <<1>>]
    /\ commit = [i \in Server |-> 1]
    /\ next = [i \in Server |-> Zeros]
    /\ match = [i \in Server |-> Zeros]
    /\ piped = [i \in Server |-> {}]
    /\ net = Net!Init
    /\ led = [i \in Server |-> 0]
    /\ used = [heartbeats |-> 0, commands |-> 0, partitions |-> 0]

-----------------------------------------------------------------------------
\* sendAppendEntries: all entries from the next one on. l is the log, n the next index.
AppendFrom(i, l, n, c) ==
    [type |-> "append", term |-> term[i], prev |-> n - 1, prevTerm |-> IF n = 1 THEN 0 ELSE l[n - 1],
     commit |-> c, entries |-> SubSeq(l, n, Len(l))]

\* What becomes of the progress of j after a message to it: sent ahead, or lost.
NextAfter(i, j, l, nx, known) ==
    IF ~Connected(i, j) THEN known + 1 ELSE IF j \in piped[i] THEN Len(l) + 1 ELSE nx
StillPiped(i, to) == {j \in piped[i] : j \notin to \/ Connected(i, j)}

-----------------------------------------------------------------------------
\* Timers

Timeout(i) ==
    /\ role[i] \in {"follower", "candidate"}
    /\ i \in Candidates
    /\ term[i] < MaxTerm
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ vote' = [vote EXCEPT ![i] = i]
    /\ leader' = [leader EXCEPT ![i] = Nobody]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ LET message(j) == [type |-> "ask", term |-> term[i] + 1, last |-> Last(i), lastTerm |-> LastTerm(i)]
       IN  net' = Net!Broadcast(net, i, message)
    /\ UNCHANGED <<log, commit, next, match, piped, led, used>>

Heartbeat(i) ==
    /\ role[i] = "leader"
    /\ used.heartbeats < MaxHeartbeats
    /\ used' = [used EXCEPT !.heartbeats = @ + 1]
    /\ LET message(j) == AppendFrom(i, log[i], next[i][j], commit[i])
       IN  net' = Net!Broadcast(net, i, message)
    /\ next' = [next EXCEPT ![i] = [j \in Server |->
           IF j = i THEN @[j] ELSE NextAfter(i, j, log[i], @[j], match[i][j])]]
    /\ piped' = [piped EXCEPT ![i] = StillPiped(i, Others(i))]
    /\ UNCHANGED <<role, term, vote, leader, votes, log, commit, match, led>>

-----------------------------------------------------------------------------
\* replicationQuorum, for a leader with this log and these match indexes.
Quorum(i, l, known) ==
    LET k == Len(l)
    IN  IF /\ k > commit[i]
           /\ IsQuorum(Cardinality({j \in Server : known[j] >= k}))
           /\ "term" \in Fixed => l[k] = term[i]
        THEN k ELSE commit[i]

\* raft_apply: to nodes in state PIPELINE the entry is sent at once, to the others with the next heartbeat.
Command(i) ==
    LET l     == Append(log[i], term[i])
        known == [match[i] EXCEPT ![i] = Len(l)]
        message(j) == AppendFrom(i, l, next[i][j], commit[i])
    IN  /\ role[i] = "leader"
        /\ used.commands < MaxCommands
        /\ used' = [used EXCEPT !.commands = @ + 1]
        /\ log' = [log EXCEPT ![i] = l]
        /\ match' = [match EXCEPT ![i] = known]
        /\ commit' = [commit EXCEPT ![i] = Quorum(i, l, known)]
        /\ net' = Net!Multicast(net, i, piped[i], message)
        /\ next' = [next EXCEPT ![i] = [j \in Server |->
               IF j \in piped[i] THEN NextAfter(i, j, l, @[j], match[i][j]) ELSE @[j]]]
        /\ piped' = [piped EXCEPT ![i] = StillPiped(i, piped[i])]
        /\ UNCHANGED <<role, term, vote, leader, votes, led>>

-----------------------------------------------------------------------------
\* Node i receives message m from j. n is the network without m.

ClearLeader(i) ==
    /\ next' = [next EXCEPT ![i] = Zeros]
    /\ match' = [match EXCEPT ![i] = Zeros]
    /\ piped' = [piped EXCEPT ![i] = {}]
    /\ led' = [led EXCEPT ![i] = 0]

Ignore(n) == net' = n /\ UNCHANGED <<node, led>>

\* recvBumpCurrentTerm of one that is not a follower
StepDown(i, m, n) ==
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ term' = [term EXCEPT ![i] = m.term]
    /\ vote' = [vote EXCEPT ![i] = Nobody]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ ClearLeader(i)
    /\ net' = n
    /\ UNCHANGED <<leader, log, commit>>

OnAsk(i, j, m, n) ==
    LET hasLeader == role[i] = "leader" \/ leader[i] # Nobody
        newer == m.term > term[i]
        free  == newer \/ vote[i] \in {Nobody, j}
        good  == m.lastTerm > LastTerm(i) \/ (m.lastTerm = LastTerm(i) /\ m.last >= Last(i))
        grant == ~hasLeader /\ m.term >= term[i] /\ free /\ good
        reply == [type |-> "vote", term |-> IF hasLeader THEN term[i] ELSE Max(term[i], m.term),
                  granted |-> grant]
    IN  /\ net' = Net!Send(n, i, j, reply)
        /\ IF newer /\ ~hasLeader
           THEN /\ term' = [term EXCEPT ![i] = m.term]
                /\ vote' = [vote EXCEPT ![i] = IF grant THEN j ELSE Nobody]
                /\ role' = [role EXCEPT ![i] = "follower"]
                /\ votes' = [votes EXCEPT ![i] = {}]
           ELSE /\ vote' = [vote EXCEPT ![i] = IF grant THEN j ELSE @]
                /\ UNCHANGED <<term, role, votes>>
        /\ UNCHANGED <<leader, log, commit, next, match, piped, led>>

\* convertToLeader, and the first heartbeat
Lead(i, n) ==
    LET message(j) == AppendFrom(i, log[i], Last(i) + 1, commit[i])
    IN  /\ role' = [role EXCEPT ![i] = "leader"]
        /\ votes' = [votes EXCEPT ![i] = {}]
        /\ next' = [next EXCEPT ![i] = [j \in Server |->
               IF j = i \/ Connected(i, j) THEN Last(i) + 1 ELSE 1]]
        /\ match' = [match EXCEPT ![i] = [j \in Server |-> IF j = i THEN Last(i) ELSE 0]]
        /\ piped' = [piped EXCEPT ![i] = {}]
        /\ net' = Net!Broadcast(n, i, message)
        /\ led' = [led EXCEPT ![i] = commit[i]]
        /\ UNCHANGED <<term, vote, leader, log, commit>>

OnVote(i, j, m, n) ==
    IF role[i] # "candidate" THEN Ignore(n)
    ELSE IF m.term > term[i] THEN StepDown(i, m, n)
    ELSE IF m.term < term[i] \/ ~m.granted THEN Ignore(n)
    ELSE IF IsQuorum(Cardinality(votes[i] \cup {j})) THEN Lead(i, n)
    ELSE /\ votes' = [votes EXCEPT ![i] = @ \cup {j}]
         /\ net' = n
         /\ UNCHANGED <<role, term, vote, leader, log, commit, next, match, piped, led>>

Appended(t, rejected, last) == [type |-> "appended", term |-> t, rejected |-> rejected, last |-> last]

\* Puts the entries of m where they belong. What is there already, and the same, stays.
Merge(l, m) ==
    LET new == {x \in 1 .. Len(m.entries) : m.prev + x > Len(l) \/ l[m.prev + x] # m.entries[x]}
    IN  IF new = {}
        THEN l
        ELSE LET x == CHOOSE x \in new : \A y \in new : x <= y
             IN  SubSeq(l, 1, m.prev + x - 1) \o SubSeq(m.entries, x, Len(m.entries))

OnAppend(i, j, m, n) ==
    LET fits     == m.prev = 0 \/ (m.prev <= Last(i) /\ log[i][m.prev] = m.prevTerm)
        l        == IF fits THEN Merge(log[i], m) ELSE log[i]
        \* What is committed would have to go: the library gives up.
        conflict == \/ m.prev # 0 /\ m.prev <= Last(i) /\ ~fits /\ m.prev <= commit[i]
                    \/ fits /\ \E x \in 1 .. Len(m.entries) :
                                  /\ m.prev + x <= Min(commit[i], Last(i))
                                  /\ log[i][m.prev + x] # m.entries[x]
        upto     == IF "match" \in Fixed THEN m.prev + Len(m.entries) ELSE Len(l)
    IN  IF m.term < term[i]
        THEN /\ net' = Net!Send(n, i, j, Appended(term[i], m.prev, Last(i)))
             /\ UNCHANGED <<node, led>>
        ELSE /\ term' = [term EXCEPT ![i] = m.term]
             /\ vote' = [vote EXCEPT ![i] = IF m.term > term[i] THEN Nobody ELSE @]
             /\ votes' = [votes EXCEPT ![i] = {}]
             /\ ClearLeader(i)
             /\ IF conflict
                THEN /\ role' = [role EXCEPT ![i] = "unavailable"]
                     /\ leader' = [leader EXCEPT ![i] = Nobody]
                     /\ net' = n
                     /\ UNCHANGED <<log, commit>>
                ELSE /\ role' = [role EXCEPT ![i] = "follower"]
                     /\ leader' = [leader EXCEPT ![i] = j]
                     /\ log' = [log EXCEPT ![i] = l]
                     /\ commit' = [commit EXCEPT ![i] = IF fits THEN Max(@, Min(m.commit, Len(l))) ELSE @]
                     /\ net' = Net!Send(n, i, j, IF fits THEN Appended(m.term, 0, upto)
                                                 ELSE Appended(m.term, m.prev, Last(i)))

\* replicationUpdate
Refused(i, j, m, n) ==
    /\ IF j \in piped[i]
       THEN IF m.rejected <= match[i][j]
            THEN UNCHANGED <<next, piped>>
            ELSE /\ next' = [next EXCEPT ![i][j] = match[i][j] + 1]
                 /\ piped' = [piped EXCEPT ![i] = @ \ {j}]
       ELSE /\ next' = [next EXCEPT ![i][j] =
                   IF m.rejected # @ - 1 THEN @ ELSE Max(Min(m.rejected, m.last + 1), 1)]
            /\ UNCHANGED piped
    /\ net' = n
    /\ UNCHANGED <<role, term, vote, leader, votes, log, commit, match, led>>

Accepted(i, j, m, n) ==
    LET last  == Min(m.last, Last(i))
        known == [match[i] EXCEPT ![j] = last]
        nx    == Max(next[i][j], last + 1)
        c     == Quorum(i, log[i], known)
        more  == nx <= Last(i)
    IN  IF match[i][j] >= last
        THEN /\ next' = [next EXCEPT ![i][j] = nx]
             /\ net' = n
             /\ UNCHANGED <<role, term, vote, leader, votes, log, commit, match, piped, led>>
        ELSE /\ match' = [match EXCEPT ![i] = known]
             /\ commit' = [commit EXCEPT ![i] = c]
             /\ piped' = [piped EXCEPT ![i] = @ \cup {j}]
             /\ next' = [next EXCEPT ![i][j] = Last(i) + 1]
             /\ net' = IF more THEN Net!Send(n, i, j, AppendFrom(i, log[i], nx, c)) ELSE n
             /\ UNCHANGED <<role, term, vote, leader, votes, log, led>>

OnAppended(i, j, m, n) ==
    IF role[i] # "leader" \/ m.term < term[i] THEN Ignore(n)
    ELSE IF m.term > term[i] THEN StepDown(i, m, n)
    ELSE IF m.rejected > 0 THEN Refused(i, j, m, n)
    ELSE Accepted(i, j, m, n)

Receive(i, j) ==
    /\ i # j
    /\ Net!CanReceive(net, j, i)
    /\ LET m == Net!First(net, j, i)
           n == Net!Take(net, j, i)
       IN  CASE role[i] = "unavailable" -> Ignore(n)
             [] role[i] # "unavailable" /\ m.type = "ask"      -> OnAsk(i, j, m, n)
             [] role[i] # "unavailable" /\ m.type = "vote"     -> OnVote(i, j, m, n)
             [] role[i] # "unavailable" /\ m.type = "append"   -> OnAppend(i, j, m, n)
             [] role[i] # "unavailable" /\ m.type = "appended" -> OnAppended(i, j, m, n)
    /\ UNCHANGED used

-----------------------------------------------------------------------------
\* Faults

Isolate(i) ==
    /\ used.partitions < MaxPartitions
    /\ ~Net!IsPartitioned(net)
    /\ used' = [used EXCEPT !.partitions = @ + 1]
    /\ net' = Net!Partition(net, {i})
    /\ UNCHANGED <<node, led>>

Heal ==
    /\ Net!IsPartitioned(net)
    /\ net' = Net!Heal(net)
    /\ UNCHANGED <<node, led, used>>

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

CommittedAgree ==
    \A i, j \in Server :
        LET k == Min(commit[i], commit[j])
        IN  SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

CommitsOwnTerm ==
    \A i \in Server : (role[i] = "leader" /\ commit[i] > led[i]) => log[i][commit[i]] = term[i]

NextAboveMatch == \A i, j \in Server : (role[i] = "leader" /\ i # j) => next[i][j] > match[i][j]

\* What a leader takes for copied is a copy, as long as the other has not moved on to a newer term.
MatchIsTrue ==
    \A i, j \in Server :
        (role[i] = "leader" /\ term[j] = term[i]) =>
            /\ match[i][j] <= Last(j)
            /\ SubSeq(log[j], 1, match[i][j]) = SubSeq(log[i], 1, match[i][j])

\* Whoever could be elected now, by its log, has what any node knows to be committed.
CouldLead(i) ==
    IsQuorum(Cardinality({j \in Server : \/ LastTerm(i) > LastTerm(j)
                                         \/ LastTerm(i) = LastTerm(j) /\ Last(i) >= Last(j)}))
CommittedSurvives ==
    \A i, j \in Server :
        CouldLead(i) => /\ commit[j] <= Last(i)
                        /\ SubSeq(log[j], 1, commit[j]) = SubSeq(log[i], 1, commit[j])

Available == \A i \in Server : role[i] # "unavailable"
=============================================================================
