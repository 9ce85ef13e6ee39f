-------------------------------- MODULE Lock --------------------------------
(***************************************************************************)
(* A lock server with fencing tokens. A worker asks for the lock; with the *)
(* lock it gets a token, a number that is larger than all before it. What  *)
(* the lock protects refuses a token that is smaller than one it has seen, *)
(* so a worker that believes for too long that it has the lock does no     *)
(* harm. That needs one thing: no token is ever given to two workers.      *)
(*                                                                         *)
(* The server keeps the token on its disk and the owner in its memory:     *)
(* after a power failure the lock is free, and tokens go on from where     *)
(* they were. Messages are datagrams: lost, doubled, out of order.         *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Node,        \* the server and the workers
    Server,      \* one of them
    Nobody,      \* no node
    MaxToken,    \* bounds of the model
    MaxFaults

VARIABLES
    owner,       \* of the lock, or Nobody; in the server's memory
    token,       \* the last one given; on the server's disk
    state,       \* of each worker: "idle", "asking" or "holding"
    mine,        \* of each worker: its token while it holds the lock, else 0
    last,        \* of each worker: the largest token it has ever had
    net,         \* packets on their way
    faults       \* so far

vars == <<owner, token, state, mine, last, net, faults>>

Worker == Node \ {Server}

Net == INSTANCE UdpNetwork WITH MaxCopies <- 2

Packet(from, to, type, n) == [from |-> from, to |-> to, type |-> type, token |-> n]

Init ==
    /\ owner = Nobody
    /\ token = 0
    /\ state = [w \in Worker |-> "idle"]
    /\ mine = [w \in Worker |-> 0]
    /\ last = [w \in Worker |-> 0]
    /\ net = Net!Init
    /\ faults = 0

-----------------------------------------------------------------------------
(* Workers. *)

\* Its timer has expired: it asks, or asks again because no answer has come.
Ask(w) ==
    /\ state[w] \in {"idle", "asking"}
    /\ state' = [state EXCEPT ![w] = "asking"]
    /\ net' = Net!Send(net, Packet(w, Server, "ask", 0))
    /\ UNCHANGED <<owner, token, mine, last, faults>>

\* Its timer has expired while it has the lock: it gives it back.
Release(w) ==
    /\ state[w] = "holding"
    /\ state' = [state EXCEPT ![w] = "idle"]
    /\ mine' = [mine EXCEPT ![w] = 0]
    /\ net' = Net!Send(net, Packet(w, Server, "release", mine[w]))
    /\ UNCHANGED <<owner, token, last, faults>>

\* An answer. What is old, or was not asked for, is ignored.
Answered(w, p) ==
    /\ net' = Net!Take(net, p)
    /\ IF p.type = "granted" /\ state[w] = "asking" /\ p.token > last[w]
       THEN /\ state' = [state EXCEPT ![w] = "holding"]
            /\ mine' = [mine EXCEPT ![w] = p.token]
            /\ last' = [last EXCEPT ![w] = p.token]
       ELSE IF p.type = "denied" /\ state[w] = "asking"
       THEN /\ state' = [state EXCEPT ![w] = "idle"]
            /\ UNCHANGED <<mine, last>>
       ELSE UNCHANGED <<state, mine, last>>
    /\ UNCHANGED <<owner, token, faults>>

-----------------------------------------------------------------------------
(* The server. *)

Reply(p, type, n) == Net!Send(Net!Take(net, p), Packet(Server, p.from, type, n))

\* The owner that asks again gets a new token: the old one may be lost.
Asked(p) ==
    /\ IF owner \in {Nobody, p.from}
       THEN /\ owner' = p.from
            /\ token' = token + 1
            /\ net' = Reply(p, "granted", token + 1)
       ELSE /\ net' = Reply(p, "denied", 0)
            /\ UNCHANGED <<owner, token>>
    /\ UNCHANGED <<state, mine, last, faults>>

\* Only the newest token frees the lock: an older one is of a time that is over.
Released(p) ==
    /\ owner' = IF owner = p.from /\ p.token = token THEN Nobody ELSE owner
    /\ net' = Net!Take(net, p)
    /\ UNCHANGED <<token, state, mine, last, faults>>

Receive(p) ==
    \/ p.to = Server /\ p.type = "ask" /\ Asked(p)
    \/ p.to = Server /\ p.type = "release" /\ Released(p)
    \/ p.to # Server /\ Answered(p.to, p)

-----------------------------------------------------------------------------
(* Faults. *)

Fault == faults < MaxFaults /\ faults' = faults + 1

\* The power of the server fails and comes back. Its disk remembers the token.
Reboot(n) ==
    /\ Fault
    /\ owner' = Nobody
    /\ net' = Net!Crash(net, n)
    /\ UNCHANGED <<token, state, mine, last>>

Lose(p) ==
    /\ Fault
    /\ net' = Net!Take(net, p)
    /\ UNCHANGED <<owner, token, state, mine, last>>

Duplicate(p) ==
    /\ Fault
    /\ Net!CanDuplicate(net, p)
    /\ net' = Net!Duplicate(net, p)
    /\ UNCHANGED <<owner, token, state, mine, last>>

-----------------------------------------------------------------------------
Next ==
    \/ \E w \in Worker : Ask(w) \/ Release(w)
    \/ \E p \in Net!Packets(net) : Receive(p) \/ Lose(p) \/ Duplicate(p)
    \/ \E n \in {Server} : Reboot(n)

Spec == Init /\ [][Next]_vars

Bounds == token <= MaxToken /\ Net!Fits(net, 2)

\* What the lock is for.
Fencing == \A v, w \in Worker : mine[v] # 0 /\ mine[v] = mine[w] => v = w
NoneTwice == \A w \in Worker : last[w] <= token
=============================================================================
