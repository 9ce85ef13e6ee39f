------------------------------ MODULE Election ------------------------------
(***************************************************************************)
(* One election of ZooKeeper's (FastLeaderElection), from the start of all *)
(* servers to the choice of each, event by event: a notification arrives,  *)
(* with all that a server does until it waits again, or nothing arrives    *)
(* for a while and it chooses.                                             *)
(*                                                                         *)
(* Each server proposes itself, adopts what is better and tells the others *)
(* so. When a quorum proposes the same, it waits a moment for something    *)
(* better; what is worse and arrives then, is forgotten. Those that have   *)
(* chosen answer those that have not.                                      *)
(*                                                                         *)
(* Left out: crashes, later elections, notifications that are sent again   *)
(* when nothing arrives, and what leader and followers do then.            *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Order,    \* the names of the servers, by their numbers
    Epoch,    \* [Server -> Nat]: the epoch that is on the disk of each,
    Zxid,     \* [Server -> Nat]: and the last transaction
    Again,    \* <<i, j>>: i has told j twice before the model begins
    Mistakes  \* "mixed": of two with the same transaction the greater number is better, whatever their epochs

Server == {Order[k] : k \in DOMAIN Order}
ASSUME Mistakes \subseteq {"mixed"}

VARIABLES
    state,    \* [Server -> {"looking", "following", "leading"}]
    proposal, \* [Server -> votes], a vote being [leader, zxid, epoch]
    chosen,   \* [Server -> votes]: None while it is looking
    heard,    \* [Server -> [Server -> votes]]: what it has heard of others in this election,
    settled,  \* [Server -> [Server -> votes]]: and of those that have chosen,
    leads,    \* [Server -> SUBSET Server]: and which of those lead
    waits,    \* [Server -> BOOLEAN]: for something better
    net       \* see TcpNetwork

vars == <<state, proposal, chosen, heard, settled, leads, waits, net>>

Net == INSTANCE TcpNetwork WITH Node <- Server

None == [leader |-> "none", zxid |-> 0, epoch |-> 0]
Own(i) == [leader |-> i, zxid |-> Zxid[i], epoch |-> Epoch[i]]
Number(i) == CHOOSE k \in DOMAIN Order : Order[k] = i

BetterBut(mistakes, a, b) ==
    \/ a.epoch > b.epoch
    \/ a.epoch = b.epoch /\ a.zxid > b.zxid
    \/ /\ a.epoch = b.epoch \/ "mixed" \in mistakes
       /\ a.zxid = b.zxid
       /\ Number(a.leader) > Number(b.leader)

Better(a, b) == BetterBut(Mistakes, a, b)

Quorum(votes, v) == 2 * Cardinality({j \in Server : votes[j] = v}) > Cardinality(Server)

Notification(v, s) == [state |-> s, leader |-> v.leader, zxid |-> v.zxid, epoch |-> v.epoch]
VoteOf(m) == [leader |-> m.leader, zxid |-> m.zxid, epoch |-> m.epoch]

Init ==
    /\ state = [i \in Server |-> "looking"]
    /\ proposal = [i \in Server |-> Own(i)]
    /\ chosen = [i \in Server |-> None]
    /\ heard = [i \in Server |-> [j \in Server |-> IF i = j THEN Own(i) ELSE None]]
    /\ settled = [i \in Server |-> [j \in Server |-> None]]
    /\ leads = [i \in Server |-> {}]
    /\ waits = [i \in Server |-> FALSE]
    /\ net = [Net!Init EXCEPT !.queue =
           [c \in Net!Channel |-> [k \in 1 .. (IF c \in Again THEN 2 ELSE 1) |-> Notification(Own(c[1]), "looking")]]]

-----------------------------------------------------------------------------
\* Server i, which is looking, receives m from j; n is the network without m.

OnProposal(i, j, m, n) ==
    LET adopts == Better(VoteOf(m), proposal[i])
        p      == IF adopts THEN VoteOf(m) ELSE proposal[i]
        first  == [heard[i] EXCEPT ![j] = VoteOf(m)]
        then   == IF adopts /\ ~Quorum(first, p) THEN [first EXCEPT ![i] = p] ELSE first
        tell(k) == Notification(p, "looking")
    IN  /\ proposal' = [proposal EXCEPT ![i] = p]
        /\ heard' = [heard EXCEPT ![i] = then]
        /\ waits' = [waits EXCEPT ![i] = Quorum(then, p)]
        /\ net' = IF adopts THEN Net!Broadcast(n, i, tell) ELSE n
        /\ UNCHANGED <<state, chosen, settled, leads>>

\* j has chosen. It must be known of the leader that it leads.
OnChoice(i, j, m, n) ==
    LET v     == VoteOf(m)
        all   == [heard[i] EXCEPT ![j] = v]
        those == [settled[i] EXCEPT ![j] = v]
        lead  == IF m.state = "leading" THEN leads[i] \cup {j} ELSE leads[i] \ {j}
        early == Quorum(all, v) /\ (v.leader = i \/ v.leader \in leads[i])
        late  == Quorum(those, v) /\ (v.leader = i \/ v.leader \in lead)
    IN  /\ heard' = [heard EXCEPT ![i] = all]
        /\ settled' = [settled EXCEPT ![i] = IF early THEN @ ELSE those]
        /\ leads' = [leads EXCEPT ![i] = IF early THEN @ ELSE lead]
        /\ waits' = [waits EXCEPT ![i] = FALSE]
        /\ state' = [state EXCEPT ![i] =
               IF ~early /\ ~late THEN @ ELSE IF v.leader = i THEN "leading" ELSE "following"]
        /\ chosen' = [chosen EXCEPT ![i] = IF early \/ late THEN v ELSE @]
        /\ net' = n
        /\ UNCHANGED proposal

Receive(j, i) ==
    /\ Net!CanReceive(net, j, i)
    /\ LET m == Net!First(net, j, i)
           n == Net!Take(net, j, i)
       IN  IF state[i] # "looking"
           THEN /\ net' = IF m.state = "looking"
                          THEN Net!Send(n, i, j, Notification(chosen[i], state[i])) ELSE n
                /\ UNCHANGED <<state, proposal, chosen, heard, settled, leads, waits>>
           ELSE IF waits[i] /\ ~Better(VoteOf(m), proposal[i])
           THEN /\ net' = n
                /\ UNCHANGED <<state, proposal, chosen, heard, settled, leads, waits>>
           ELSE IF m.state = "looking"
           THEN OnProposal(i, j, m, n)
           ELSE OnChoice(i, j, m, n)

\* Nothing better has arrived.
Choose(i) ==
    /\ waits[i]
    /\ state[i] = "looking"
    /\ state' = [state EXCEPT ![i] = IF proposal[i].leader = i THEN "leading" ELSE "following"]
    /\ chosen' = [chosen EXCEPT ![i] = proposal[i]]
    /\ waits' = [waits EXCEPT ![i] = FALSE]
    /\ UNCHANGED <<proposal, heard, settled, leads, net>>

Next ==
    \/ \E i \in Server : Choose(i)
    \/ \E i \in Server : \E j \in Server \ {i} : Receive(j, i)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* Who is proposed never gets worse.
NeverWorse == [][\A i \in Server : ~BetterBut({}, proposal[i], proposal'[i])]_vars

\* For configurations.
Servers == <<"z1", "z2", "z3">>
Zeros == [i \in {"z1", "z2", "z3"} |-> 0]
SecondToThird == {<<"z2", "z3">>}
FirstIsNewer == [i \in {"z1", "z2", "z3"} |-> IF i = "z1" THEN 1 ELSE 0]
=============================================================================
