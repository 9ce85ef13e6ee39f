-------------------------------- MODULE Zab ---------------------------------
(***************************************************************************)
(* Zab, the atomic broadcast of ZooKeeper, in its three phases: discovery, *)
(* synchronisation, broadcast (Junqueira, Reed, Serafini, 2011). Channels  *)
(* are sequences, first in first out. An oracle proposes who leads whom;   *)
(* it may be wrong about who knows most, and may change its mind.          *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, Nobody, MaxEpoch, MaxHistory, MaxFailures

VARIABLES
    role,        \* "looking", "following" or "leading"
    phase,       \* "discovery", "collect" (a leader only), "sync" or "broadcast"
    leader,      \* whom a follower follows
    accepted,    \* the last epoch that was promised
    current,     \* the last epoch whose history was taken over
    history,     \* the transactions, oldest first
    committed,   \* how many of them are delivered
    known,       \* for a leader: the last report of each follower
    acked,       \* for a leader: how many transactions each has acknowledged
    chan,        \* [Server -> [Server -> Seq(message)]]: from, to
    failures

serverVars == <<role, phase, leader>>
diskVars == <<accepted, current, history>>
vars == <<serverVars, diskVars, committed, known, acked, chan, failures>>

Quorum == {Q \in SUBSET Server : Cardinality(Q) > Cardinality(Server) \div 2}

Silence == [kind |-> "silence"]
Unsynced == 0 - 1

Largest(S) == CHOOSE x \in S : \A y \in S : y <= x

Init ==
    /\ role = [s \in Server |-> "looking"]
    /\ phase = [s \in Server |-> "discovery"]
    /\ leader = [s \in Server |-> Nobody]
    /\ accepted = [s \in Server |-> 0]
    /\ current = [s \in Server |-> 0]
    /\ history = [s \in Server |-> <<>>]
    /\ committed = [s \in Server |-> 0]
    /\ known = [s \in Server |-> [t \in Server |-> Silence]]
    /\ acked = [s \in Server |-> [t \in Server |-> Unsynced]]
    /\ chan = [s \in Server |-> [t \in Server |-> <<>>]]
    /\ failures = 0

-----------------------------------------------------------------------------
\* Channels

HasMail(from, to) == chan[from][to] # <<>>
Mail(from, to) == Head(chan[from][to])

Read(from, to) == [chan EXCEPT ![from][to] = Tail(@)]
Exchange(from, to, answer) ==
    [chan EXCEPT ![from][to] = Tail(@), ![to][from] = Append(@, answer)]

\* c with m sent by s to all members of S
Multicast(c, s, S, m) ==
    [c EXCEPT ![s] = [t \in Server |-> IF t \in S THEN Append(@[t], m) ELSE @[t]]]

Followers(l) == {s \in Server : role[s] = "following" /\ leader[s] = l}
Synced(l) == {s \in Followers(l) : acked[l][s] # Unsynced}

-----------------------------------------------------------------------------
\* The oracle

Elect(l, Q) ==
    /\ l \in Q
    /\ \A s \in Q : role[s] = "looking"
    /\ Largest({accepted[s] : s \in Q}) < MaxEpoch
    /\ role' = [s \in Server |-> IF s = l THEN "leading" ELSE IF s \in Q THEN "following" ELSE role[s]]
    /\ leader' = [s \in Server |-> IF s \in Q THEN l ELSE leader[s]]
    /\ phase' = [s \in Server |-> IF s \in Q THEN "discovery" ELSE phase[s]]
    /\ chan' = [s \in Server |-> [t \in Server |->
                   IF s \in Q \ {l} /\ t = l THEN <<[kind |-> "CEPOCH", epoch |-> accepted[s]]>>
                                             ELSE chan[s][t]]]
    /\ known' = [known EXCEPT ![l] = [t \in Server |-> Silence]]
    /\ acked' = [acked EXCEPT ![l] = [t \in Server |-> Unsynced]]
    /\ UNCHANGED <<diskVars, committed, failures>>

\* s gives up its part, or crashes. A leader takes its followers with it, and so does the last that it needs.
Fail(s) ==
    /\ role[s] # "looking"
    /\ failures < MaxFailures
    /\ failures' = failures + 1
    /\ LET l == leader[s]
           group == {l} \cup Followers(l)
           gone == IF s # l /\ group \ {s} \in Quorum THEN {s} ELSE group
       IN  /\ role' = [t \in Server |-> IF t \in gone THEN "looking" ELSE role[t]]
           /\ phase' = [t \in Server |-> IF t \in gone THEN "discovery" ELSE phase[t]]
           /\ leader' = [t \in Server |-> IF t \in gone THEN Nobody ELSE leader[t]]
           /\ chan' = [t \in Server |-> [u \in Server |->
                          IF t \in gone \/ u \in gone THEN <<>> ELSE chan[t][u]]]
           /\ known' = [t \in Server |-> IF t \in gone THEN [u \in Server |-> Silence]
                           ELSE [u \in Server |-> IF u \in gone THEN Silence ELSE known[t][u]]]
           /\ acked' = [t \in Server |-> IF t \in gone THEN [u \in Server |-> Unsynced]
                           ELSE [u \in Server |-> IF u \in gone THEN Unsynced ELSE acked[t][u]]]
    /\ UNCHANGED <<diskVars, committed>>

-----------------------------------------------------------------------------
\* Discovery

HearEpoch(l, s) ==
    /\ role[l] = "leading"
    /\ HasMail(s, l)
    /\ Mail(s, l).kind = "CEPOCH"
    /\ known' = [known EXCEPT ![l][s] = Mail(s, l)]
    /\ chan' = IF phase[l] = "discovery"
                  THEN Read(s, l)
                  ELSE Exchange(s, l, [kind |-> "NEWEPOCH", epoch |-> accepted[l]])
    /\ UNCHANGED <<serverVars, diskVars, committed, acked, failures>>

\* A quorum has told its epochs: the new one is larger than all.
OpenEpoch(l) ==
    LET heard == {s \in Server : known[l][s].kind = "CEPOCH"}
    IN  /\ role[l] = "leading"
        /\ phase[l] = "discovery"
        /\ phase' = [phase EXCEPT ![l] = "collect"]
        /\ heard \cup {l} \in Quorum
        /\ LET e == Largest({known[l][s].epoch : s \in heard} \cup {accepted[l]}) + 1
           IN  /\ accepted' = [accepted EXCEPT ![l] = e]
               /\ chan' = Multicast(chan, l, heard, [kind |-> "NEWEPOCH", epoch |-> e])
        /\ UNCHANGED <<role, leader, current, history, committed, known, acked, failures>>

JoinEpoch(s, l) ==
    /\ role[s] = "following"
    /\ HasMail(l, s)
    /\ Mail(l, s).kind = "NEWEPOCH"
    /\ Mail(l, s).epoch >= accepted[s]
    /\ accepted' = [accepted EXCEPT ![s] = Mail(l, s).epoch]
    /\ chan' = Exchange(l, s, [kind |-> "ACKEPOCH", epoch |-> current[s], history |-> history[s]])
    /\ UNCHANGED <<serverVars, current, history, committed, known, acked, failures>>

-----------------------------------------------------------------------------
\* Synchronisation

HearHistory(l, s) ==
    /\ role[l] = "leading"
    /\ HasMail(s, l)
    /\ Mail(s, l).kind = "ACKEPOCH"
    /\ known' = [known EXCEPT ![l][s] = Mail(s, l)]
    /\ IF phase[l] = "collect"
          THEN chan' = Read(s, l) /\ UNCHANGED acked
          ELSE /\ chan' = Exchange(s, l, [kind |-> "NEWLEADER", epoch |-> current[l], history |-> history[l]])
               /\ acked' = [acked EXCEPT ![l][s] = 0]
    /\ UNCHANGED <<serverVars, diskVars, committed, failures>>

AtLeast(a, b) ==
    \/ a.epoch > b.epoch
    \/ a.epoch = b.epoch /\ Len(a.history) >= Len(b.history)

\* A quorum has told its histories: the best one is for all.
TakeOver(l) ==
    LET heard == {s \in Server : known[l][s].kind = "ACKEPOCH"}
        mine == [kind |-> "ACKEPOCH", epoch |-> current[l], history |-> history[l]]
        reports == {known[l][s] : s \in heard} \cup {mine}
        best == CHOOSE r \in reports : \A q \in reports : AtLeast(r, q)
    IN  /\ role[l] = "leading"
        /\ phase[l] = "collect"
        /\ heard \cup {l} \in Quorum
        /\ phase' = [phase EXCEPT ![l] = "sync"]
        /\ current' = [current EXCEPT ![l] = accepted[l]]
        /\ history' = [history EXCEPT ![l] = best.history]
        /\ acked' = [acked EXCEPT ![l] = [s \in Server |->
                        IF s = l THEN Len(best.history) ELSE IF s \in heard THEN 0 ELSE Unsynced]]
        /\ chan' = Multicast(chan, l, heard,
                       [kind |-> "NEWLEADER", epoch |-> accepted[l], history |-> best.history])
        /\ UNCHANGED <<role, leader, accepted, committed, known, failures>>

Synchronise(s, l) ==
    /\ role[s] = "following"
    /\ HasMail(l, s)
    /\ LET m == Mail(l, s)
       IN  /\ m.kind = "NEWLEADER"
           /\ m.epoch = accepted[s]
           /\ current' = [current EXCEPT ![s] = m.epoch]
           /\ history' = [history EXCEPT ![s] = m.history]
           /\ phase' = [phase EXCEPT ![s] = "sync"]
           /\ chan' = Exchange(l, s, [kind |-> "ACK", upTo |-> Len(m.history)])
    /\ UNCHANGED <<role, leader, accepted, committed, known, acked, failures>>

-----------------------------------------------------------------------------
\* Broadcast

Request(l) ==
    /\ role[l] = "leading"
    /\ phase[l] = "broadcast"
    /\ Len(history[l]) < MaxHistory
    /\ LET txn == [epoch |-> current[l], zxid |-> Len(history[l]) + 1]
       IN  /\ history' = [history EXCEPT ![l] = Append(@, txn)]
           /\ acked' = [acked EXCEPT ![l][l] = @ + 1]
           /\ chan' = Multicast(chan, l, Synced(l), [kind |-> "PROPOSE", txn |-> txn])
    /\ UNCHANGED <<serverVars, accepted, current, committed, known, failures>>

Log(s, l) ==
    /\ role[s] = "following"
    /\ HasMail(l, s)
    /\ Mail(l, s).kind = "PROPOSE"
    /\ history' = [history EXCEPT ![s] = Append(@, Mail(l, s).txn)]
    /\ chan' = Exchange(l, s, [kind |-> "ACK", upTo |-> Len(history[s]) + 1])
    /\ UNCHANGED <<serverVars, accepted, current, committed, known, acked, failures>>

\* The first quorum of acknowledgements commits the history that was taken over; later ones commit proposals.
HearAck(l, s) ==
    /\ role[l] = "leading"
    /\ HasMail(s, l)
    /\ Mail(s, l).kind = "ACK"
    /\ LET heard == [acked[l] EXCEPT ![s] = Mail(s, l).upTo]
           quorate == {k \in committed[l] .. Len(history[l]) :
                          {t \in Server : heard[t] >= k} \in Quorum}
           last == IF quorate = {} THEN committed[l] ELSE Largest(quorate)
           fresh == phase[l] = "sync" \/ last > committed[l]
       IN  /\ acked' = [acked EXCEPT ![l] = heard]
           /\ committed' = [committed EXCEPT ![l] = last]
           /\ phase' = [phase EXCEPT ![l] = "broadcast"]
           /\ chan' = Multicast(Read(s, l), l, IF fresh THEN Synced(l) ELSE {s},
                                [kind |-> "COMMIT", upTo |-> last])
    /\ UNCHANGED <<role, leader, diskVars, known, failures>>

Deliver(s, l) ==
    /\ role[s] = "following"
    /\ HasMail(l, s)
    /\ Mail(l, s).kind = "COMMIT"
    /\ committed' = [committed EXCEPT ![s] = Largest({@, Mail(l, s).upTo})]
    /\ phase' = [phase EXCEPT ![s] = "broadcast"]
    /\ chan' = Read(l, s)
    /\ UNCHANGED <<role, leader, diskVars, known, acked, failures>>

Next ==
    \/ \E l \in Server : \E Q \in Quorum : Elect(l, Q)
    \/ \E s \in Server : Fail(s)
    \/ \E l \in Server : OpenEpoch(l) \/ TakeOver(l) \/ Request(l)
    \/ \E l, s \in Server :
          \/ HearEpoch(l, s) \/ HearHistory(l, s) \/ HearAck(l, s)
          \/ JoinEpoch(s, l) \/ Synchronise(s, l) \/ Log(s, l) \/ Deliver(s, l)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Txn == [epoch : 1 .. MaxEpoch, zxid : 1 .. MaxHistory]

TypeOK ==
    /\ role \in [Server -> {"looking", "following", "leading"}]
    /\ phase \in [Server -> {"discovery", "collect", "sync", "broadcast"}]
    /\ leader \in [Server -> Server \cup {Nobody}]
    /\ accepted \in [Server -> 0 .. MaxEpoch + 1]
    /\ current \in [Server -> 0 .. MaxEpoch + 1]
    /\ \A s \in Server : \A k \in 1 .. Len(history[s]) : history[s][k] \in Txn
    /\ \A s \in Server : committed[s] <= Len(history[s])
    /\ \A s, t \in Server :
          \A k \in 1 .. Len(chan[s][t]) :
             chan[s][t][k].kind \in {"CEPOCH", "NEWEPOCH", "ACKEPOCH", "NEWLEADER", "PROPOSE", "ACK", "COMMIT"}

IsPrefix(a, b) == Len(a) <= Len(b) /\ \A k \in 1 .. Len(a) : a[k] = b[k]
Delivered(s) == SubSeq(history[s], 1, committed[s])

TotalOrder ==
    \A s, t \in Server : IsPrefix(Delivered(s), Delivered(t)) \/ IsPrefix(Delivered(t), Delivered(s))

\* An active leader has everything that was delivered in earlier epochs.
PrimaryIntegrity ==
    \A l \in Server : (role[l] = "leading" /\ phase[l] = "broadcast") =>
        \A s \in Server : current[s] <= current[l] => IsPrefix(Delivered(s), history[l])

OneLeaderPerEpoch ==
    \A l, m \in Server :
        (l # m /\ role[l] = "leading" /\ role[m] = "leading" /\ phase[l] = "broadcast" /\ phase[m] = "broadcast")
            => current[l] # current[m]
=============================================================================
