------------------------------- MODULE RaftKv -------------------------------
(***************************************************************************)
(* The key-value server of this directory, event by event: each action is  *)
(* one thing that happens to one process (a message arrives, its timer     *)
(* expires, a client asks for something, it crashes), with all that the    *)
(* process does until it waits again. The definitions have the names of    *)
(* the functions in raft.c.                                                *)
(*                                                                         *)
(* Every node calls every other, so that there is a connection for each    *)
(* direction of each pair, and TcpNetwork says what they do.               *)
(*                                                                         *)
(* Left out: values and keys (there is one key; which value an entry has   *)
(* follows from its index and term), the limit of entries in one message,  *)
(* requests to nodes that do not lead (they are refused and change         *)
(* nothing), the time that timers take.                                    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Server,       \* the nodes
    Nobody,       \* not a node: has not voted in this term
    Unbounded,    \* not a number: no bound
    Defects,      \* which of AllDefects the program was built with
    Candidates,   \* bounds of the model: the nodes whose election timer may expire,
    MaxTerm,      \*     the highest term,
    MaxTicks,     \*     heartbeats, and candidates asking again,
    MaxRequests,  \*     requests of clients,
    MaxFaults,    \*     crashes and partitions,
    MaxQueue      \*     messages on their way from one node to another

AllDefects ==
    {"double_vote", "term_not_saved", "stale_vote", "old_term_commit", "match_back", "local_read"}
ASSUME Defects \subseteq AllDefects

VARIABLES
    role,      \* [Server -> {"follower", "candidate", "leader"}]
    term,      \* [Server -> Nat], on disk as are the next two
    vote,      \* [Server -> Server \cup {Nobody}]
    log,       \* [Server -> Seq of entries], an entry being [term, op], op "put" or "get"
    commit,    \* [Server -> Nat]: entries known to be committed
    votes,     \* [Server -> Nat]: of a candidate, the number of votes,
    granted,   \* [Server -> SUBSET Server]: and from whom
    asked,     \* [Server -> Nat]: and how often it asked for them
    next,      \* [Server -> [Server -> Nat]]: of a leader, the entry to send next,
    match,     \* [Server -> [Server -> Nat]]: and the number of entries known to agree
    waiting,   \* [Server -> SUBSET (Nat \X Nat)]: <<index, request>> that clients wait for
    answer,    \* Seq of the revisions that the clients got, in the order of their requests
    floor,     \* Seq: for each request, the newest revision that any client knew when it was made
    net,       \* see TcpNetwork
    ticks,     \* heartbeats and repeated questions so far, if they are bounded
    faults     \* crashes and partitions so far

kept == <<term, vote, log>>
volatile == <<role, commit, votes, granted, asked, next, match, waiting>>
clients == <<answer, floor>>
counters == <<ticks, faults>>
vars == <<kept, volatile, clients, net, counters>>

\* For VIEW: states that differ only in how much of the bounds was used count once. What a search
\* finds with it is true; what it does not find may need more of the bounds than was left on the
\* first way to some state.
WithoutCounters == <<kept, volatile, clients, net>>

Net == INSTANCE TcpNetwork WITH Node <- Server

Unanswered == -1
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a < b THEN b ELSE a
IsQuorum(n) == 2 * n > Cardinality(Server)
TermAt(i, k) == IF k = 0 THEN 0 ELSE log[i][k].term
Up(i) == ~Net!IsDown(net, i)
Others(i) == Server \ {i}
Ones == [j \in Server |-> 1]
Zeros == [j \in Server |-> 0]

Init ==
    /\ role = [i \in Server |-> "follower"]
    /\ term = [i \in Server |-> 0]
    /\ vote = [i \in Server |-> Nobody]
    /\ log = [i \in Server |-> <<>>]
    /\ commit = [i \in Server |-> 0]
    /\ votes = [i \in Server |-> 0]
    /\ granted = [i \in Server |-> {}]
    /\ asked = [i \in Server |-> 0]
    /\ next = [i \in Server |-> Ones]
    /\ match = [i \in Server |-> Zeros]
    /\ waiting = [i \in Server |-> {}]
    /\ answer = <<>>
    /\ floor = <<>>
    /\ net = Net!Init
    /\ ticks = 0
    /\ faults = 0

-----------------------------------------------------------------------------
\* Messages

Ask(i, t) ==
    [type |-> "ask", term |-> t, last |-> Len(log[i]), lastTerm |-> TermAt(i, Len(log[i]))]

\* The last entry of l that goes along when k is the first. The program sends 16 at most, which shows
\* only in longer runs than a model has.
LastSent(l, k) == Len(l)
LastOfBatch(l, k) == Min(Len(l), k + 15)

\* What i sends to a node for which its next index is k, its log being l.
AppendFrom(i, l, k, c, withEntries) ==
    [type     |-> "append",
     term     |-> term[i],
     prev     |-> k - 1,
     prevTerm |-> IF k = 1 THEN 0 ELSE l[k - 1].term,
     commit   |-> c,
     entries  |-> IF withEntries THEN SubSeq(l, k, LastSent(l, k)) ELSE <<>>]

-----------------------------------------------------------------------------
\* The timer of i expires

Tick ==
    IF MaxTicks = Unbounded
    THEN UNCHANGED ticks
    ELSE ticks < MaxTicks /\ ticks' = ticks + 1

StartElection(i) ==
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ vote' = [vote EXCEPT ![i] = i]
    /\ votes' = [votes EXCEPT ![i] = 1]
    /\ granted' = [granted EXCEPT ![i] = {i}]
    /\ asked' = [asked EXCEPT ![i] = 1]
    /\ LET message(j) == Ask(i, term[i] + 1)
       IN  net' = Net!Broadcast(net, i, message)
    /\ UNCHANGED <<log, commit, next, match, waiting, clients, counters>>

\* Nobody has led for a while, or the votes do not suffice.
Timeout(i) ==
    /\ Up(i)
    /\ role[i] = "follower" \/ (role[i] = "candidate" /\ asked[i] = 2)
    /\ i \in Candidates
    /\ term[i] < MaxTerm
    /\ StartElection(i)

\* A candidate asks those again that have not voted for it.
AskAgain(i) ==
    /\ Up(i)
    /\ role[i] = "candidate"
    /\ asked[i] = 1
    /\ Tick
    /\ asked' = [asked EXCEPT ![i] = 2]
    /\ LET message(j) == Ask(i, term[i])
       IN  net' = Net!Multicast(net, i, Server \ granted[i], message)
    /\ UNCHANGED <<kept, role, commit, votes, granted, next, match, waiting, clients, faults>>

Heartbeat(i) ==
    /\ Up(i)
    /\ role[i] = "leader"
    /\ Tick
    /\ LET message(j) == AppendFrom(i, log[i], next[i][j], commit[i], FALSE)
       IN  net' = Net!Broadcast(net, i, message)
    /\ UNCHANGED <<kept, volatile, clients, faults>>

-----------------------------------------------------------------------------
\* Node i receives message m from j. `n` is the network without m.

\* What i is before it looks at the rest of m: a message of a newer term, or of the leader of this
\* one, makes it a follower.
Follows(i, m) == m.term > term[i] \/ (m.type = "append" /\ m.term = term[i])
TermOf(i, m) == Max(term[i], m.term)
VoteOf(i, m) == IF m.term > term[i] THEN Nobody ELSE vote[i]
RoleOf(i, m) == IF Follows(i, m) THEN "follower" ELSE role[i]

\* The state of i after `follow`, but for the variables that the caller says.
Follow(i, m) ==
    IF Follows(i, m) /\ role[i] # "follower"
        THEN /\ role' = [role EXCEPT ![i] = "follower"]
             /\ votes' = [votes EXCEPT ![i] = 0]
             /\ granted' = [granted EXCEPT ![i] = {}]
             /\ asked' = [asked EXCEPT ![i] = 0]
             /\ next' = [next EXCEPT ![i] = Ones]
             /\ match' = [match EXCEPT ![i] = Zeros]
             /\ waiting' = [waiting EXCEPT ![i] = {}]
        ELSE UNCHANGED <<role, votes, granted, asked, next, match, waiting>>

OnAsk(i, j, m, n) ==
    LET last  == TermAt(i, Len(log[i]))
        good  == m.lastTerm > last \/ (m.lastTerm = last /\ m.last >= Len(log[i]))
        grant == m.term = TermOf(i, m) /\ VoteOf(i, m) \in {Nobody, j} /\ good
    IN  /\ Follow(i, m)
        /\ term' = [term EXCEPT ![i] = TermOf(i, m)]
        /\ vote' = [vote EXCEPT ![i] = IF grant THEN j ELSE VoteOf(i, m)]
        /\ net' = Net!Send(n, i, j, [type |-> "vote", term |-> TermOf(i, m), granted |-> grant])
        /\ UNCHANGED <<log, commit, clients>>

Lead(i, n) ==
    /\ role' = [role EXCEPT ![i] = "leader"]
    /\ votes' = [votes EXCEPT ![i] = 0]
    /\ granted' = [granted EXCEPT ![i] = {}]
    /\ asked' = [asked EXCEPT ![i] = 0]
    /\ next' = [next EXCEPT ![i] = [j \in Server |-> IF j = i THEN 1 ELSE Len(log[i]) + 1]]
    /\ LET message(j) == AppendFrom(i, log[i], Len(log[i]) + 1, commit[i], FALSE)
       IN  net' = Net!Broadcast(n, i, message)
    /\ UNCHANGED <<kept, commit, match, waiting, clients>>

OnVote(i, j, m, n) ==
    LET stale == m.term # term[i] /\ "stale_vote" \notin Defects
        more  == IF j \notin granted[i] \/ "double_vote" \in Defects THEN 1 ELSE 0
    IN  IF m.term > term[i]
        THEN /\ Follow(i, m)
             /\ term' = [term EXCEPT ![i] = m.term]
             /\ vote' = [vote EXCEPT ![i] = Nobody]
             /\ net' = n
             /\ UNCHANGED <<log, commit, clients>>
        ELSE IF role[i] # "candidate" \/ stale \/ ~m.granted
        THEN /\ net' = n
             /\ UNCHANGED <<kept, volatile, clients>>
        ELSE IF IsQuorum(votes[i] + more)
        THEN Lead(i, n)
        ELSE /\ votes' = [votes EXCEPT ![i] = @ + more]
             /\ granted' = [granted EXCEPT ![i] = @ \cup {j}]
             /\ net' = n
             /\ UNCHANGED <<kept, role, commit, asked, next, match, waiting, clients>>

\* Puts the entries of m where they belong. What is there already, and the same, stays.
Merge(l, m) ==
    LET new == {x \in 1 .. Len(m.entries) :
                   m.prev + x > Len(l) \/ l[m.prev + x].term # m.entries[x].term}
    IN  IF new = {}
        THEN l
        ELSE LET x == CHOOSE x \in new : \A y \in new : x <= y
             IN  SubSeq(l, 1, m.prev + x - 1) \o SubSeq(m.entries, x, Len(m.entries))

OnAppend(i, j, m, n) ==
    LET current == m.term >= term[i]
        fits    == m.prev <= Len(log[i]) /\ TermAt(i, m.prev) = m.prevTerm
        upto    == m.prev + Len(m.entries)
        reply   == [type  |-> "appended",
                    term  |-> TermOf(i, m),
                    ok    |-> current /\ fits,
                    index |-> IF ~current THEN 0
                              ELSE IF fits THEN upto
                              ELSE Min(m.prev - 1, Len(log[i]))]
    IN  /\ Follow(i, m)
        /\ term' = [term EXCEPT ![i] = TermOf(i, m)]
        /\ vote' = [vote EXCEPT ![i] = VoteOf(i, m)]
        /\ IF current /\ fits
           THEN /\ log' = [log EXCEPT ![i] = Merge(@, m)]
                /\ commit' = [commit EXCEPT ![i] = Max(@, Min(m.commit, upto))]
           ELSE UNCHANGED <<log, commit>>
        /\ net' = Net!Send(n, i, j, reply)
        /\ UNCHANGED clients

\* The newest write among the first k entries of l.
Revision(l, k) ==
    LET puts == {x \in 1 .. k : l[x].op = "put"}
    IN  IF puts = {} THEN 0 ELSE CHOOSE x \in puts : \A y \in puts : y <= x

\* The leader's commit index when it knows `known` of the others.
AdvanceCommit(i, known) ==
    LET good(k) == /\ IsQuorum(1 + Cardinality({j \in Others(i) : known[j] >= k}))
                   /\ log[i][k].term = term[i] \/ "old_term_commit" \in Defects
        ks      == {k \in commit[i] + 1 .. Len(log[i]) : good(k)}
    IN  IF ks = {} THEN commit[i] ELSE CHOOSE k \in ks : \A x \in ks : x <= k

\* Clients that wait for one of the first k entries of leader i get their answers.
Answers(i, k) ==
    /\ answer' = [r \in DOMAIN answer |->
           IF \E w \in waiting[i] : w[2] = r /\ w[1] <= k
           THEN LET w == CHOOSE w \in waiting[i] : w[2] = r
                IN  Revision(log[i], w[1])
           ELSE answer[r]]
    /\ waiting' = [waiting EXCEPT ![i] = {w \in @ : w[1] > k}]
    /\ UNCHANGED floor

OnAppended(i, j, m, n) ==
    LET index == Min(m.index, Len(log[i]))
        known == IF ~m.ok THEN match[i][j]
                 ELSE IF "match_back" \in Defects THEN index
                 ELSE Max(match[i][j], index)
        new   == IF m.ok THEN known + 1 ELSE Max(known + 1, Min(next[i][j] - 1, m.index + 1))
        c     == AdvanceCommit(i, [match[i] EXCEPT ![j] = known])
    IN  IF m.term > term[i]
        THEN /\ Follow(i, m)
             /\ term' = [term EXCEPT ![i] = m.term]
             /\ vote' = [vote EXCEPT ![i] = Nobody]
             /\ net' = n
             /\ UNCHANGED <<log, commit, clients>>
        ELSE IF role[i] # "leader" \/ m.term # term[i]
        THEN /\ net' = n
             /\ UNCHANGED <<kept, volatile, clients>>
        ELSE /\ match' = [match EXCEPT ![i][j] = known]
             /\ next' = [next EXCEPT ![i][j] = new]
             /\ commit' = [commit EXCEPT ![i] = c]
             /\ Answers(i, c)
             /\ net' = IF ~m.ok \/ new <= Len(log[i])
                       THEN Net!Send(n, i, j, AppendFrom(i, log[i], new, c, TRUE))
                       ELSE n
             /\ UNCHANGED <<kept, role, votes, granted, asked>>

Receive(i, j) ==
    /\ i # j
    /\ Net!CanReceive(net, j, i)
    /\ LET m == Net!First(net, j, i)
           n == Net!Take(net, j, i)
       IN  CASE m.type = "ask"      -> OnAsk(i, j, m, n)
             [] m.type = "vote"     -> OnVote(i, j, m, n)
             [] m.type = "append"   -> OnAppend(i, j, m, n)
             [] m.type = "appended" -> OnAppended(i, j, m, n)
    /\ UNCHANGED counters

-----------------------------------------------------------------------------
\* Clients

Newest == LET known == {answer[r] : r \in DOMAIN answer} \cup {0}
          IN  CHOOSE x \in known : \A y \in known : y <= x

\* The leader answers when the entry is committed.
Propose(i, op) ==
    LET l == Append(log[i], [term |-> term[i], op |-> op])
        message(j) == AppendFrom(i, l, next[i][j], commit[i], TRUE)
    IN  /\ log' = [log EXCEPT ![i] = l]
        /\ waiting' = [waiting EXCEPT ![i] = @ \cup {<<Len(l), Len(answer) + 1>>}]
        /\ answer' = Append(answer, Unanswered)
        /\ net' = Net!Broadcast(net, i, message)
        /\ UNCHANGED <<term, vote, role, commit, votes, granted, asked, next, match>>

AnswerAtOnce(i) ==
    /\ answer' = Append(answer, Revision(log[i], commit[i]))
    /\ UNCHANGED <<kept, volatile, net>>

\* A client asks a leader. Reads go through the log, too, but for one of the defects.
Request(i, op) ==
    /\ Up(i)
    /\ role[i] = "leader"
    /\ Len(answer) < MaxRequests
    /\ IF op = "get" /\ "local_read" \in Defects /\ commit[i] = Len(log[i])
       THEN AnswerAtOnce(i)
       ELSE Propose(i, op)
    /\ floor' = Append(floor, Newest)
    /\ UNCHANGED counters

-----------------------------------------------------------------------------
\* Faults

\* One node is cut off from all the others.
Isolate(i) ==
    /\ faults < MaxFaults
    /\ ~Net!IsPartitioned(net)
    /\ net' = Net!Partition(net, {i})
    /\ faults' = faults + 1
    /\ UNCHANGED <<kept, volatile, clients, ticks>>

Heal ==
    /\ Net!IsPartitioned(net)
    /\ net' = Net!Heal(net)
    /\ UNCHANGED <<kept, volatile, clients, counters>>

Crash(i) ==
    /\ faults < MaxFaults
    /\ Up(i)
    /\ net' = Net!Crash(net, i)
    /\ faults' = faults + 1
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ commit' = [commit EXCEPT ![i] = 0]
    /\ votes' = [votes EXCEPT ![i] = 0]
    /\ granted' = [granted EXCEPT ![i] = {}]
    /\ asked' = [asked EXCEPT ![i] = 0]
    /\ next' = [next EXCEPT ![i] = Ones]
    /\ match' = [match EXCEPT ![i] = Zeros]
    /\ waiting' = [waiting EXCEPT ![i] = {}]
    /\ IF "term_not_saved" \in Defects
       THEN /\ term' = [term EXCEPT ![i] = 0]
            /\ vote' = [vote EXCEPT ![i] = Nobody]
       ELSE UNCHANGED <<term, vote>>
    /\ UNCHANGED <<log, clients, ticks>>

Restart(i) ==
    /\ ~Up(i)
    /\ net' = Net!Restart(net, i)
    /\ UNCHANGED <<kept, volatile, clients, counters>>

-----------------------------------------------------------------------------
Next ==
    \/ \E i \in Server :
          \/ Timeout(i)
          \/ AskAgain(i)
          \/ Heartbeat(i)
          \/ \E op \in {"put", "get"} : Request(i, op)
          \/ \E j \in Server : Receive(i, j)
          \/ Isolate(i)
          \/ Crash(i)
          \/ Restart(i)
    \/ Heal

Spec == Init /\ [][Next]_vars

QueuesFit == Net!Fits(net, MaxQueue)

-----------------------------------------------------------------------------
\* What must hold

ElectionSafety ==
    \A i, j \in Server :
        (role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j]) => i = j

\* Entries with equal index and term are equal, and so is all before them.
LogMatching ==
    \A i, j \in Server :
        \A k \in 1 .. Min(Len(log[i]), Len(log[j])) :
            log[i][k].term = log[j][k].term => SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

\* What one node knows to be committed, a leader of the same or a newer term has.
LeaderCompleteness ==
    \A i, j \in Server :
        (role[i] = "leader" /\ term[i] >= term[j]) =>
            /\ commit[j] <= Len(log[i])
            /\ SubSeq(log[j], 1, commit[j]) = SubSeq(log[i], 1, commit[j])

\* Whoever could be elected now, by its log, has what any node knows to be committed.
CouldLead(i) ==
    LET last(j) == TermAt(j, Len(log[j]))
        votesForIt == {j \in Server : last(i) > last(j) \/ (last(i) = last(j) /\ Len(log[i]) >= Len(log[j]))}
    IN  IsQuorum(Cardinality(votesForIt))
CommittedSurvives ==
    \A i, j \in Server :
        (commit[j] > 0 /\ CouldLead(i)) =>
            /\ commit[j] <= Len(log[i])
            /\ SubSeq(log[j], 1, commit[j]) = SubSeq(log[i], 1, commit[j])

\* Two nodes never disagree about what is committed.
CommittedAgree ==
    \A i, j \in Server :
        LET k == Min(commit[i], commit[j])
        IN  SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

CommittedIsThere == \A i \in Server : commit[i] <= Len(log[i])

NextAboveMatch == \A i, j \in Server : next[i][j] > match[i][j]

\* What a leader has committed in its term, a quorum is still known to have.
CommitBacked ==
    \A i \in Server :
        (role[i] = "leader" /\ TermAt(i, commit[i]) = term[i]) =>
            IsQuorum(1 + Cardinality({j \in Others(i) : match[i][j] >= commit[i]}))

\* No client gets what is older than what some client knew when it asked.
ReadsLinearizable ==
    \A r \in DOMAIN answer : answer[r] # Unanswered => answer[r] >= floor[r]

\* Of steps: indexes and terms never go back, but for a crash.
CommitMonotonic == [][\A i \in Server : Net!IsDown(net', i) \/ commit'[i] >= commit[i]]_vars
MatchMonotonic ==
    [][\A i, j \in Server :
        (role[i] = "leader" /\ role'[i] = "leader" /\ term'[i] = term[i]) => match'[i][j] >= match[i][j]]_vars
TermMonotonic == [][\A i \in Server : term'[i] >= term[i]]_vars
\* A leader commits by counting copies only what is of its own term.
CommitsOwnTerm ==
    [][\A i \in Server :
        (role[i] = "leader" /\ role'[i] = "leader" /\ commit'[i] > commit[i]) =>
            log'[i][commit'[i]].term = term[i]]_vars
\* What is committed stays where it is.
CommittedStays ==
    [][\A i \in Server :
        Net!IsDown(net', i) \/ SubSeq(log'[i], 1, Min(commit[i], Len(log'[i]))) = SubSeq(log[i], 1, commit[i])]_vars
=============================================================================
