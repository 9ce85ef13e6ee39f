------------------------------ MODULE RaftTcp ------------------------------
(***************************************************************************)
(* Raft over connections (TcpNetwork): messages between two servers arrive *)
(* in order, but partitions and crashes lose all that is on its way.       *)
(*                                                                         *)
(* The constants with Max in their names bound the model; Faults says how  *)
(* many partitions and crashes may happen.                                 *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Server, Value, Nobody, ForgetVote,
    MaxTerm, MaxLog, MaxQueue, MaxFaults

VARIABLES
    node,    \* [Server -> state]: see RaftNode
    net,     \* see TcpNetwork
    faults   \* partitions and crashes so far

vars == <<node, net, faults>>

Net == INSTANCE TcpNetwork WITH Node <- Server
Raft == INSTANCE RaftNode

Init ==
    /\ node = [i \in Server |-> Raft!InitState]
    /\ net = Net!Init
    /\ faults = 0

\* Sends the packets of one step. No two have the same receiver, so their order does not matter.
Deliver(n, out) ==
    [n EXCEPT !.queue = [c \in Net!Channel |->
        LET mine == {m \in out : m.from = c[1] /\ m.to = c[2]}
        IN  IF mine # {} /\ Net!Connected(n, c[1], c[2])
            THEN Append(@[c], CHOOSE m \in mine : TRUE)
            ELSE @[c]]]

Up(i) == ~Net!IsDown(net, i)

Timeout(i) ==
    /\ Up(i)
    /\ node[i].role # "leader"
    /\ node[i].term < MaxTerm
    /\ LET step == Raft!Timeout(node[i], i)
       IN  /\ node' = [node EXCEPT ![i] = step.state]
           /\ net' = Deliver(net, step.out)
    /\ UNCHANGED faults

Request(i, v) ==
    /\ Up(i)
    /\ node[i].role = "leader"
    /\ Len(node[i].log) < MaxLog
    /\ node' = [node EXCEPT ![i] = Raft!Request(@, v).state]
    /\ UNCHANGED <<net, faults>>

\* Leader i sends j an entry or a heartbeat. It waits while the connection is full.
Replicate(i, j) ==
    /\ i # j
    /\ Up(i)
    /\ node[i].role = "leader"
    /\ Net!Connected(net, i, j)
    /\ Net!InFlight(net, i, j) < MaxQueue
    /\ net' = Deliver(net, Raft!Replicate(node[i], i, j).out)
    /\ UNCHANGED <<node, faults>>

AdvanceCommit(i) ==
    /\ Up(i)
    /\ node[i].role = "leader"
    /\ Raft!Committable(node[i], i) # {}
    /\ node' = [node EXCEPT ![i] = Raft!AdvanceCommit(@, i).state]
    /\ UNCHANGED <<net, faults>>

Receive(i, j) ==
    /\ i # j
    /\ Net!CanReceive(net, j, i)
    /\ LET step == Raft!OnMessage(node[i], i, Net!First(net, j, i))
       IN  /\ node' = [node EXCEPT ![i] = step.state]
           /\ net' = Deliver(Net!Take(net, j, i), step.out)
    /\ UNCHANGED faults

\* One server is cut off from all the others.
Isolate(i) ==
    /\ faults < MaxFaults
    /\ ~Net!IsPartitioned(net)
    /\ net' = Net!Partition(net, {i})
    /\ faults' = faults + 1
    /\ UNCHANGED node

Heal ==
    /\ Net!IsPartitioned(net)
    /\ net' = Net!Heal(net)
    /\ UNCHANGED <<node, faults>>

Crash(i) ==
    /\ faults < MaxFaults
    /\ Up(i)
    /\ net' = Net!Crash(net, i)
    /\ node' = [node EXCEPT ![i] = Raft!Restarted(@)]
    /\ faults' = faults + 1

Restart(i) ==
    /\ ~Up(i)
    /\ net' = Net!Restart(net, i)
    /\ UNCHANGED <<node, faults>>

Next ==
    \/ \E i \in Server :
          \/ Timeout(i)
          \/ \E v \in Value : Request(i, v)
          \/ \E j \in Server : Replicate(i, j) \/ Receive(i, j)
          \/ AdvanceCommit(i)
          \/ Isolate(i)
          \/ Crash(i)
          \/ Restart(i)
    \/ Heal

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
ShortQueues == \A c \in Net!Channel : Len(net.queue[c]) <= MaxQueue

NetworkOK == \A c \in Net!Channel : ~Net!Connected(net, c[1], c[2]) => net.queue[c] = <<>>
ElectionSafety == Raft!ElectionSafety(node)
LogMatching == Raft!LogMatching(node)
StateMachineSafety == Raft!StateMachineSafety(node)
LeaderCompleteness == Raft!LeaderCompleteness(node)
CommittedIsInLog == \A i \in Server : node[i].commit <= Len(node[i].log)

\* Terms never go back, and a leader never removes what is in its own log.
TermsGrow == [][\A i \in Server : node'[i].term >= node[i].term]_vars
LeaderAppendOnly ==
    [][\A i \in Server :
        (node[i].role = "leader" /\ node'[i].role = "leader") =>
            /\ Len(node'[i].log) >= Len(node[i].log)
            /\ SubSeq(node'[i].log, 1, Len(node[i].log)) = node[i].log]_vars
=============================================================================
