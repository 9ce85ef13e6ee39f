----------------------------- MODULE TcpNetwork -----------------------------
(***************************************************************************)
(* A network of reliable connections, as TCP gives them.                   *)
(*                                                                         *)
(* Between every two nodes there is one connection, with a queue for each  *)
(* direction. Messages of a queue arrive in the order in which they were   *)
(* sent, each once. A connection breaks when the network is partitioned    *)
(* between its ends, or when one of them crashes; then everything that was *)
(* on its way in both directions is gone. While there is no connection,    *)
(* messages vanish when they are sent. Healing, or the restart of a node,  *)
(* makes new and empty connections.                                        *)
(*                                                                         *)
(* What is sent is any value. A model is kept finite by Fits, as a         *)
(* CONSTRAINT, or by HasRoom, as a guard of those actions that could wait. *)
(* Counters (of partitions, of crashes) belong into variables of their own *)
(* that a VIEW leaves out: here are none.                                  *)
(*                                                                         *)
(* The module has no variables. The state of the network is a value, kept  *)
(* in a variable of the specification that uses it:                        *)
(*                                                                         *)
(*     Net == INSTANCE TcpNetwork WITH Node <- Server                      *)
(*     Init    == ... /\ net = Net!Init                                    *)
(*     Request == ... /\ net' = Net!Send(net, i, j, m)                     *)
(*     Receive == \E i, j \in Server :                                     *)
(*                   /\ Net!CanReceive(net, i, j)                          *)
(*                   /\ ... Net!First(net, i, j) ...                       *)
(*                   /\ net' = Net!Take(net, i, j)                         *)
(***************************************************************************)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

CONSTANT Node

\* Directions: from the first to the second.
Channel == {c \in Node \X Node : c[1] # c[2]}

\* Undirected: what a partition cuts.
Wire == {w \in SUBSET Node : Cardinality(w) = 2}

(***************************************************************************)
(* queue  the messages on their way, oldest first                          *)
(* cut    the wires that a partition has cut                               *)
(* down   the nodes that have crashed                                      *)
(***************************************************************************)
State(Message) ==
    [queue : [Channel -> Seq(Message)], cut : SUBSET Wire, down : SUBSET Node]

Init ==
    [queue |-> [c \in Channel |-> <<>>], cut |-> {}, down |-> {}]

Connected(net, i, j) ==
    /\ i \notin net.down
    /\ j \notin net.down
    /\ {i, j} \notin net.cut

-----------------------------------------------------------------------------
\* Messages

Send(net, i, j, m) ==
    IF Connected(net, i, j)
        THEN [net EXCEPT !.queue[<<i, j>>] = Append(@, m)]
        ELSE net

\* The same from i to all others: m is a function of the receiver.
Broadcast(net, i, m(_)) ==
    [net EXCEPT !.queue = [c \in Channel |->
        IF c[1] = i /\ Connected(net, i, c[2]) THEN Append(@[c], m(c[2])) ELSE @[c]]]

\* The same from i to the members of `to`.
Multicast(net, i, to, m(_)) ==
    [net EXCEPT !.queue = [c \in Channel |->
        IF c[1] = i /\ c[2] \in to /\ Connected(net, i, c[2]) THEN Append(@[c], m(c[2])) ELSE @[c]]]

CanReceive(net, i, j) == net.queue[<<i, j>>] # <<>>
First(net, i, j) == Head(net.queue[<<i, j>>])
Take(net, i, j) == [net EXCEPT !.queue[<<i, j>>] = Tail(@)]

\* What TCP itself never does, but proxies, bugs and retrying senders do: the oldest message is lost,
\* or is there twice. Actions that do so are called Drop.. or Lose.., and Duplicate...
Drop(net, i, j) == Take(net, i, j)
Duplicate(net, i, j) == [net EXCEPT !.queue[<<i, j>>] = <<Head(@)>> \o @]

InFlight(net, i, j) == Len(net.queue[<<i, j>>])

\* At most `most` messages are on their way: from i to j is room for one more; everywhere.
HasRoom(net, i, j, most) == InFlight(net, i, j) < most
Fits(net, most) == \A c \in Channel : Len(net.queue[c]) <= most

-----------------------------------------------------------------------------
\* Faults

\* Empties the queues of all channels for which broken(i, j) holds.
LOCAL Break(net, broken(_, _)) ==
    [net EXCEPT !.queue = [c \in Channel |-> IF broken(c[1], c[2]) THEN <<>> ELSE @[c]]]

\* Only the members of `side` can talk to each other, and so can all the others.
Partition(net, side) ==
    LET across(i, j) == (i \in side) # (j \in side)
    IN  [Break(net, across) EXCEPT
            !.cut = {w \in Wire : \E i, j \in w : across(i, j)}]

IsPartitioned(net) == net.cut # {}

Heal(net) == [net EXCEPT !.cut = {}]

Crash(net, n) ==
    LET touches(i, j) == i = n \/ j = n
    IN  [Break(net, touches) EXCEPT !.down = @ \cup {n}]

IsDown(net, n) == n \in net.down

Restart(net, n) == [net EXCEPT !.down = @ \ {n}]
=============================================================================
