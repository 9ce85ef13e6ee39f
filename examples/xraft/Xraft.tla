------------------------------- MODULE Xraft -------------------------------
(***************************************************************************)
(* Elections and replication of Xraft, event by event: each action is one  *)
(* thing that happens to one node (a message arrives, its timer expires,   *)
(* its power fails), with all that the program does until it waits again.  *)
(* The definitions have the names of what they stand for in NodeImpl.      *)
(*                                                                         *)
(* With Mistakes = {} it is what Raft says, and what the program should    *)
(* do. Each member of Mistakes is something that the program does instead: *)
(*   twice    votes are counted, not remembered from whom they are         *)
(*   forgets  a candidate that hears of the leader of its term has no vote *)
(*            any more, though it voted for itself                         *)
(*   loses    term and vote are not synced, and lost with the power; a     *)
(*            candidate's own vote is never written                        *)
(*   longer   a log that is longer counts as newer, whatever its terms     *)
(*                                                                         *)
(* Answers come back on the connection on which was asked, but those and   *)
(* what the other node asks arrive here in the order in which they were    *)
(* sent. Left out: clients (the entries are the empty ones with which      *)
(* leaders begin), snapshots, changes of the group, and a second message   *)
(* to append on its way to a node that has not answered the first.         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Server,        \* the names of the nodes
    Mistakes,      \* see above
    Candidates,    \* bounds of the model: the nodes whose election timer may expire,
    MaxTerm,       \*     the highest term,
    MaxBeats,      \*     heartbeats,
    MaxDuplicates, \*     votes that come twice,
    MaxFaults,     \*     failures of the power,
    MaxQueue       \*     messages on their way from one node to another

AllMistakes == {"twice", "forgets", "loses", "longer"}
ASSUME Mistakes \subseteq AllMistakes

VARIABLES
    role,    \* [Server -> {"follower", "candidate", "leader"}]
    term,    \* [Server -> Nat]
    vote,    \* [Server -> Server \cup {Nobody}]: for whom in this term
    leader,  \* [Server -> Server \cup {Nobody}]: of a follower, whom it follows
    votes,   \* [Server -> Nat]: of a candidate, how many,
    granted, \* [Server -> SUBSET Server]: and from whom
    log,     \* [Server -> Seq(Nat)]: the terms of the entries
    commit,  \* [Server -> Nat]
    peers,   \* [Server -> [Server -> what a leader knows of another]]
    sent,    \* [Server -> [Server -> Nat]]: the last entry of what a leader sent last
    net,     \* see TcpNetwork
    beats, duplicates, faults

election == <<role, term, vote, leader, votes, granted>>
replication == <<log, commit, peers, sent>>
counters == <<beats, duplicates, faults>>
vars == <<election, replication, net, counters>>

Net == INSTANCE TcpNetwork WITH Node <- Server

Nobody == "nobody"
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a < b THEN b ELSE a
Up(i) == ~Net!IsDown(net, i)
TermAt(l, k) == IF k = 0 THEN 0 ELSE l[k]
Unknown == [next |-> 0, match |-> 0, busy |-> FALSE]
Strangers == [j \in Server |-> Unknown]
Zeros == [j \in Server |-> 0]

Init ==
    /\ role = [i \in Server |-> "follower"]
    /\ term = Zeros
    /\ vote = [i \in Server |-> Nobody]
    /\ leader = [i \in Server |-> Nobody]
    /\ votes = Zeros
    /\ granted = [i \in Server |-> {}]
    /\ log = [i \in Server |-> <<>>]
    /\ commit = Zeros
    /\ peers = [i \in Server |-> Strangers]
    /\ sent = [i \in Server |-> Zeros]
    /\ net = Net!Init
    /\ beats = 0
    /\ duplicates = 0
    /\ faults = 0

-----------------------------------------------------------------------------
\* Roles

BecomeFollower(i, t, v, l) ==
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ term' = [term EXCEPT ![i] = t]
    /\ vote' = [vote EXCEPT ![i] = v]
    /\ leader' = [leader EXCEPT ![i] = l]
    /\ votes' = [votes EXCEPT ![i] = 0]
    /\ granted' = [granted EXCEPT ![i] = {}]
    /\ peers' = [peers EXCEPT ![i] = Strangers]
    /\ sent' = [sent EXCEPT ![i] = Zeros]

AppendOf(i, l, k, c) ==
    [type |-> "append", term |-> term[i], prev |-> k - 1, prevTerm |-> TermAt(l, k - 1),
     commit |-> c, entries |-> SubSeq(l, k, Len(l))]

-----------------------------------------------------------------------------
\* Timers

Timeout(i) ==
    /\ Up(i)
    /\ i \in Candidates
    /\ role[i] # "leader"
    /\ term[i] < MaxTerm
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ vote' = [vote EXCEPT ![i] = i]
    /\ leader' = [leader EXCEPT ![i] = Nobody]
    /\ votes' = [votes EXCEPT ![i] = 1]
    /\ granted' = [granted EXCEPT ![i] = {i}]
    /\ LET ask(j) == [type |-> "ask", term |-> term[i] + 1, last |-> Len(log[i]),
                      lastTerm |-> TermAt(log[i], Len(log[i]))]
       IN  net' = Net!Broadcast(net, i, ask)
    /\ UNCHANGED <<replication, counters>>

\* Nothing that i sent is unanswered on its way.
Answered(i) ==
    \A j \in Server \ {i} :
        /\ \A k \in DOMAIN net.queue[<<i, j>>] : net.queue[<<i, j>>][k].type # "append"
        /\ \A k \in DOMAIN net.queue[<<j, i>>] : net.queue[<<j, i>>][k].type # "appended"

Heartbeat(i) ==
    /\ Up(i)
    /\ role[i] = "leader"
    /\ beats < MaxBeats
    /\ Answered(i)
    /\ beats' = beats + 1
    /\ peers' = [peers EXCEPT ![i] = [j \in Server |-> IF j = i THEN Unknown ELSE [@[j] EXCEPT !.busy = TRUE]]]
    /\ sent' = [sent EXCEPT ![i] = [j \in Server |-> IF j = i THEN 0 ELSE Len(log[i])]]
    /\ LET message(j) == AppendOf(i, log[i], peers[i][j].next, commit[i])
       IN  net' = Net!Broadcast(net, i, message)
    /\ UNCHANGED <<election, log, commit, duplicates, faults>>

-----------------------------------------------------------------------------
\* Node i receives m from j; n is the network without m.

OnAsk(i, j, m, n) ==
    LET l      == log[i]
        last   == TermAt(l, Len(l))
        newer  == \/ last > m.lastTerm
                  \/ Len(l) > m.last /\ (last = m.lastTerm \/ "longer" \in Mistakes)
        again  == m.term = term[i] /\ role[i] = "follower"
        grants == \/ m.term > term[i] /\ ~newer
                  \/ again /\ (vote[i] = j \/ (vote[i] = Nobody /\ ~newer))
    IN  /\ IF m.term > term[i] \/ grants
           THEN BecomeFollower(i, m.term, IF grants THEN j ELSE Nobody, Nobody)
           ELSE UNCHANGED <<election, peers, sent>>
        /\ net' = Net!Send(n, i, j, [type |-> "vote", term |-> Max(term[i], m.term), granted |-> grants])
        /\ UNCHANGED <<log, commit, counters>>

Lead(i, n) ==
    LET l == Append(log[i], term[i])
    IN  /\ role' = [role EXCEPT ![i] = "leader"]
        /\ votes' = [votes EXCEPT ![i] = 0]
        /\ granted' = [granted EXCEPT ![i] = {}]
        /\ log' = [log EXCEPT ![i] = l]
        /\ peers' = [peers EXCEPT ![i] = [j \in Server |->
               IF j = i THEN Unknown ELSE [next |-> Len(l), match |-> 0, busy |-> TRUE]]]
        /\ sent' = [sent EXCEPT ![i] = [j \in Server |-> IF j = i THEN 0 ELSE Len(l)]]
        /\ LET message(j) == AppendOf(i, l, Len(l), commit[i])
           IN  net' = Net!Broadcast(n, i, message)
        /\ UNCHANGED <<term, vote, leader, commit, counters>>

OnVote(i, j, m, n) ==
    LET counts == role[i] = "candidate" /\ m.term = term[i] /\ m.granted
        all    == granted[i] \cup {j}
        number == IF "twice" \in Mistakes THEN votes[i] + 1 ELSE Cardinality(all)
    IN  IF m.term > term[i]
        THEN /\ BecomeFollower(i, m.term, Nobody, Nobody)
             /\ net' = n
             /\ UNCHANGED <<log, commit, counters>>
        ELSE IF counts /\ 2 * number > Cardinality(Server)
        THEN Lead(i, n)
        ELSE /\ votes' = [votes EXCEPT ![i] = IF counts THEN number ELSE @]
             /\ granted' = [granted EXCEPT ![i] = IF counts THEN all ELSE @]
             /\ net' = n
             /\ UNCHANGED <<role, term, vote, leader, replication, counters>>

\* The log l after the entries of m: what is there already, and the same, stays.
Merge(l, m) ==
    LET new == {x \in 1 .. Len(m.entries) : m.prev + x > Len(l) \/ l[m.prev + x] # m.entries[x]}
    IN  IF new = {}
        THEN l
        ELSE LET x == CHOOSE x \in new : \A y \in new : x <= y
             IN  SubSeq(l, 1, m.prev + x - 1) \o SubSeq(m.entries, x, Len(m.entries))

\* Only entries of this term commit what is before them.
Advance(c, l, to, t) == IF to > c /\ to <= Len(l) /\ l[to] = t THEN to ELSE c

OnAppend(i, j, m, n) ==
    LET heard == m.term > term[i] \/ (m.term = term[i] /\ role[i] # "leader")
        fits  == m.prev <= Len(log[i]) /\ TermAt(log[i], m.prev) = m.prevTerm
        own   == IF role[i] = "candidate" /\ "forgets" \in Mistakes THEN Nobody ELSE vote[i]
        l     == Merge(log[i], m)
    IN  /\ IF heard
           THEN BecomeFollower(i, m.term, IF m.term > term[i] THEN Nobody ELSE own, j)
           ELSE UNCHANGED <<election, peers, sent>>
        /\ IF heard /\ fits
           THEN /\ log' = [log EXCEPT ![i] = l]
                /\ commit' = [commit EXCEPT ![i] =
                       Advance(@, l, Min(m.commit, m.prev + Len(m.entries)), m.term)]
           ELSE UNCHANGED <<log, commit>>
        /\ net' = Net!Send(n, i, j, [type |-> "appended", term |-> Max(term[i], m.term), ok |-> heard /\ fits])
        /\ UNCHANGED counters

\* The highest index that most of the group have; i has all.
Agreed(i, known) ==
    LET having(k) == {j \in Server : j = i \/ known[j].match >= k}
        most      == {k \in 0 .. Len(log[i]) : 2 * Cardinality(having(k)) > Cardinality(Server)}
    IN  CHOOSE k \in most : \A x \in most : x <= k

\* i sends what j lacks, being told that its next entry is k.
Replicate(i, j, k, known, c, n) ==
    /\ peers' = [peers EXCEPT ![i] = [known EXCEPT ![j].next = k, ![j].busy = TRUE]]
    /\ sent' = [sent EXCEPT ![i][j] = Len(log[i])]
    /\ net' = Net!Send(n, i, j, AppendOf(i, log[i], k, c))

OnAppended(i, j, m, n) ==
    LET known  == [peers[i] EXCEPT ![j] = [next |-> sent[i][j] + 1, match |-> sent[i][j], busy |-> FALSE]]
        c      == IF known[j].next # peers[i][j].next \/ known[j].match # peers[i][j].match
                  THEN Advance(commit[i], log[i], Agreed(i, known), term[i]) ELSE commit[i]
    IN  IF m.term > term[i]
        THEN /\ BecomeFollower(i, m.term, Nobody, Nobody)
             /\ net' = n
             /\ UNCHANGED <<log, commit, counters>>
        ELSE IF role[i] # "leader"
        THEN /\ net' = n
             /\ UNCHANGED <<election, replication, counters>>
        ELSE /\ commit' = [commit EXCEPT ![i] = IF m.ok THEN c ELSE @]
             /\ IF m.ok /\ sent[i][j] < Len(log[i])
                THEN Replicate(i, j, sent[i][j] + 1, known, c, n)
                ELSE IF m.ok
                THEN /\ peers' = [peers EXCEPT ![i] = known]
                     /\ net' = n
                     /\ UNCHANGED sent
                ELSE IF peers[i][j].next > 1
                THEN Replicate(i, j, peers[i][j].next - 1, peers[i], commit[i], n)
                ELSE /\ peers' = [peers EXCEPT ![i][j].busy = FALSE]
                     /\ net' = n
                     /\ UNCHANGED sent
             /\ UNCHANGED <<election, log, counters>>

Receive(j, i) ==
    /\ Net!CanReceive(net, j, i)
    /\ LET m == Net!First(net, j, i)
           n == Net!Take(net, j, i)
       IN  CASE m.type = "ask" -> OnAsk(i, j, m, n)
             [] m.type = "vote" -> OnVote(i, j, m, n)
             [] m.type = "append" -> OnAppend(i, j, m, n)
             [] m.type = "appended" -> OnAppended(i, j, m, n)

-----------------------------------------------------------------------------
\* Faults

DuplicateVote(j, i) ==
    /\ duplicates < MaxDuplicates
    /\ Net!CanReceive(net, j, i)
    /\ Net!First(net, j, i).type = "vote"
    /\ net' = Net!Duplicate(net, j, i)
    /\ duplicates' = duplicates + 1
    /\ UNCHANGED <<election, replication, beats, faults>>

\* The power of i fails, and comes back. Term, vote and log should be on its disk.
Crash(i) ==
    LET loses == "loses" \in Mistakes
    IN  /\ Up(i)
        /\ faults < MaxFaults
        /\ faults' = faults + 1
        /\ role' = [role EXCEPT ![i] = "follower"]
        /\ term' = [term EXCEPT ![i] = IF loses THEN 0 ELSE @]
        /\ vote' = [vote EXCEPT ![i] = IF loses THEN Nobody ELSE @]
        /\ leader' = [leader EXCEPT ![i] = Nobody]
        /\ votes' = [votes EXCEPT ![i] = 0]
        /\ granted' = [granted EXCEPT ![i] = {}]
        /\ log' = [log EXCEPT ![i] = IF loses THEN <<>> ELSE @]
        /\ commit' = [commit EXCEPT ![i] = 0]
        /\ peers' = [peers EXCEPT ![i] = Strangers]
        /\ sent' = [sent EXCEPT ![i] = Zeros]
        /\ net' = Net!Restart(Net!Crash(net, i), i)
        /\ UNCHANGED <<beats, duplicates>>

-----------------------------------------------------------------------------
Next ==
    \/ \E i \in Server : Timeout(i) \/ Heartbeat(i) \/ Crash(i)
    \/ \E i \in Server : \E j \in Server \ {i} : Receive(j, i) \/ DuplicateVote(j, i)

Spec == Init /\ [][Next]_vars

Fits == Net!Fits(net, MaxQueue)

\* What Raft promises, and what the program breaks with its mistakes.
OneLeader ==
    \A i, j \in Server : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j
LogMatching ==
    \A i, j \in Server : \A k \in 1 .. Min(Len(log[i]), Len(log[j])) :
        log[i][k] = log[j][k] => SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)
=============================================================================
