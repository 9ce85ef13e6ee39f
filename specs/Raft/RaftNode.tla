------------------------------ MODULE RaftNode ------------------------------
(***************************************************************************)
(* What one Raft server does, as functions: given its state and an event,  *)
(* its next state and the messages it sends. RaftTcp and RaftUdp connect   *)
(* such servers by different networks.                                     *)
(*                                                                         *)
(* Follows the description of the algorithm in Ongaro and Ousterhout, "In  *)
(* Search of an Understandable Consensus Algorithm", figure 2, without     *)
(* snapshots and changes of membership.                                    *)
(*                                                                         *)
(* The state of a server i is a record:                                    *)
(*   term, vote, log     survive a crash                                   *)
(*   role                "follower", "candidate" or "leader"               *)
(*   commit              the length of the prefix of log that is committed *)
(*   votes               as candidate: the servers that voted for it       *)
(*   next, match         as leader, for every server: the index of the     *)
(*                       entry to send next; the length known to agree     *)
(* A log entry is a record of its term and a value.                        *)
(*                                                                         *)
(* A step is a record [state, out]; out is a set of packets with fields    *)
(* from, to, kind, term and others that depend on the kind.                *)
(***************************************************************************)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

CONSTANTS
    Server,
    Nobody,       \* not a server: "has not voted in this term"
    ForgetVote    \* a deliberate mistake: a restarted server does not remember its vote

IsQuorum(S) == 2 * Cardinality(S) > Cardinality(Server)

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a < b THEN b ELSE a

LastTerm(log) == IF log = <<>> THEN 0 ELSE log[Len(log)].term

InitState ==
    [term   |-> 1,
     vote   |-> Nobody,
     log    |-> <<>>,
     role   |-> "follower",
     commit |-> 0,
     votes  |-> {},
     next   |-> [j \in Server |-> 1],
     match  |-> [j \in Server |-> 0]]

LOCAL Silent(s) == [state |-> s, out |-> {}]

\* What only candidates and leaders need is reset, so that equal situations are equal states.
LOCAL Plain(s) ==
    [s EXCEPT !.votes = {}, !.next = InitState.next, !.match = InitState.match]

LOCAL Follow(s, term) ==
    [Plain(s) EXCEPT !.role = "follower",
                     !.term = term,
                     !.vote = IF term > s.term THEN Nobody ELSE @]

-----------------------------------------------------------------------------
\* Elections

\* The election timer of i runs out.
Timeout(s, i) ==
    [state |-> [Plain(s) EXCEPT !.role = "candidate",
                                !.term = @ + 1,
                                !.vote = i,
                                !.votes = {i}],
     out |-> {[kind |-> "askVote", from |-> i, to |-> j, term |-> s.term + 1,
               length |-> Len(s.log), last |-> LastTerm(s.log)] : j \in Server \ {i}}]

\* The log of m's sender is at least as good as ours.
LOCAL UpToDate(s, m) ==
    \/ m.last > LastTerm(s.log)
    \/ m.last = LastTerm(s.log) /\ m.length >= Len(s.log)

LOCAL OnAskVote(s, i, m) ==
    LET grant == m.term = s.term /\ s.vote \in {Nobody, m.from} /\ UpToDate(s, m)
    IN  [state |-> IF grant THEN [s EXCEPT !.vote = m.from] ELSE s,
         out |-> {[kind |-> "vote", from |-> i, to |-> m.from, term |-> s.term,
                   granted |-> grant]}]

LOCAL OnVote(s, i, m) ==
    IF s.role # "candidate" \/ m.term # s.term \/ ~m.granted
        THEN Silent(s)
        ELSE LET votes == s.votes \cup {m.from}
             IN  Silent(IF IsQuorum(votes)
                    THEN [Plain(s) EXCEPT !.role = "leader",
                                          !.next = [j \in Server |-> Len(s.log) + 1]]
                    ELSE [s EXCEPT !.votes = votes])

-----------------------------------------------------------------------------
\* Replication

\* A client hands a value to the leader.
Request(s, value) ==
    Silent([s EXCEPT !.log = Append(@, [term |-> s.term, value |-> value])])

\* Leader i sends j the next entry that j lacks, or a heartbeat when it lacks none.
Replicate(s, i, j) ==
    LET before == s.next[j] - 1
    IN  [state |-> s,
         out |-> {[kind    |-> "append", from |-> i, to |-> j, term |-> s.term,
                   before  |-> before,
                   prev    |-> IF before = 0 THEN 0 ELSE s.log[before].term,
                   entries |-> SubSeq(s.log, before + 1, Min(before + 1, Len(s.log))),
                   commit  |-> Min(s.commit, before + 1)]}]

LOCAL Refuse(s, i, m) ==
    [state |-> s,
     out |-> {[kind |-> "appended", from |-> i, to |-> m.from, term |-> s.term,
               ok |-> FALSE, upto |-> 0]}]

\* Puts the entries of m behind position m.before. What is there already, and equal, is kept.
LOCAL Merge(log, m) ==
    IF \A k \in 1 .. Len(m.entries) :
          /\ m.before + k <= Len(log)
          /\ log[m.before + k] = m.entries[k]
        THEN log
        ELSE SubSeq(log, 1, m.before) \o m.entries

LOCAL OnAppend(s, i, m) ==
    IF m.term < s.term
        THEN Refuse(s, i, m)
        ELSE LET f    == Follow(s, m.term)
                 fits == \/ m.before = 0
                         \/ m.before <= Len(f.log) /\ f.log[m.before].term = m.prev
                 upto == m.before + Len(m.entries)
             IN  IF ~fits
                    THEN Refuse(f, i, m)
                    ELSE [state |-> [f EXCEPT !.log = Merge(@, m),
                                              !.commit = Max(@, Min(m.commit, upto))],
                          out |-> {[kind |-> "appended", from |-> i, to |-> m.from,
                                    term |-> f.term, ok |-> TRUE, upto |-> upto]}]

LOCAL OnAppended(s, i, m) ==
    Silent(IF s.role # "leader" \/ m.term # s.term
        THEN s
        ELSE IF m.ok
            THEN [s EXCEPT !.match[m.from] = Max(@, m.upto),
                           !.next[m.from] = Max(@, m.upto + 1)]
            ELSE [s EXCEPT !.next[m.from] = Max(1, @ - 1)])

\* The longest prefix that a quorum holds and that ends in an entry of the leader's own term.
Committable(s, i) ==
    {k \in s.commit + 1 .. Len(s.log) :
        /\ s.log[k].term = s.term
        /\ IsQuorum({i} \cup {j \in Server : s.match[j] >= k})}

AdvanceCommit(s, i) ==
    LET ks == Committable(s, i)
    IN  Silent([s EXCEPT !.commit = CHOOSE k \in ks : \A l \in ks : l <= k])

-----------------------------------------------------------------------------
\* Server i receives m. A newer term makes it a follower first.
OnMessage(s, i, m) ==
    LET t == IF m.term > s.term THEN Follow(s, m.term) ELSE s
    IN  CASE m.kind = "askVote"  -> OnAskVote(t, i, m)
          [] m.kind = "vote"     -> OnVote(t, i, m)
          [] m.kind = "append"   -> OnAppend(t, i, m)
          [] m.kind = "appended" -> OnAppended(t, i, m)

\* What is left of a server after a crash and a restart.
Restarted(s) ==
    [InitState EXCEPT !.term = s.term,
                      !.vote = IF ForgetVote THEN Nobody ELSE s.vote,
                      !.log = s.log]

-----------------------------------------------------------------------------
\* Properties of all servers together; node is a function from Server to states.

\* At most one leader in a term.
ElectionSafety(node) ==
    \A i, j \in Server :
        (node[i].role = "leader" /\ node[j].role = "leader" /\ node[i].term = node[j].term) => i = j

\* Entries with equal index and term are equal, and so is all that comes before them.
LogMatching(node) ==
    \A i, j \in Server :
        \A k \in 1 .. Min(Len(node[i].log), Len(node[j].log)) :
            node[i].log[k].term = node[j].log[k].term =>
                SubSeq(node[i].log, 1, k) = SubSeq(node[j].log, 1, k)

\* Committed prefixes never disagree.
StateMachineSafety(node) ==
    \A i, j \in Server :
        \A k \in 1 .. Min(node[i].commit, node[j].commit) :
            node[i].log[k] = node[j].log[k]

\* A leader of a newer term has all that is committed.
LeaderCompleteness(node) ==
    \A i, j \in Server :
        (node[i].role = "leader" /\ node[i].term >= node[j].term) =>
            \A k \in 1 .. node[j].commit :
                Len(node[i].log) >= k /\ node[i].log[k] = node[j].log[k]
=============================================================================
