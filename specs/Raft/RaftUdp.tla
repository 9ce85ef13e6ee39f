------------------------------ MODULE RaftUdp ------------------------------
(***************************************************************************)
(* Raft over packets (UdpNetwork): they get lost, arrive twice, and        *)
(* overtake each other.                                                    *)
(*                                                                         *)
(* The constants with Max in their names bound the model. A packet that    *)
(* nobody receives is as good as lost, since nothing in Raft waits for a   *)
(* packet; so losing is an action of its own only to free the room that    *)
(* MaxPackets gives.                                                       *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Server, Value, Nobody, ForgetVote,
    MaxTerm, MaxLog, MaxPackets, MaxCopies, MaxDuplicates

VARIABLES
    node,        \* [Server -> state]: see RaftNode
    net,         \* see UdpNetwork
    duplicates   \* packets duplicated so far

vars == <<node, net, duplicates>>

Net == INSTANCE UdpNetwork
Raft == INSTANCE RaftNode

Init ==
    /\ node = [i \in Server |-> Raft!InitState]
    /\ net = Net!Init
    /\ duplicates = 0

Timeout(i) ==
    /\ node[i].role # "leader"
    /\ node[i].term < MaxTerm
    /\ LET step == Raft!Timeout(node[i], i)
       IN  /\ node' = [node EXCEPT ![i] = step.state]
           /\ net' = Net!SendAll(net, step.out)
    /\ UNCHANGED duplicates

Request(i, v) ==
    /\ node[i].role = "leader"
    /\ Len(node[i].log) < MaxLog
    /\ node' = [node EXCEPT ![i] = Raft!Request(@, v).state]
    /\ UNCHANGED <<net, duplicates>>

Replicate(i, j) ==
    /\ i # j
    /\ node[i].role = "leader"
    /\ net' = Net!SendAll(net, Raft!Replicate(node[i], i, j).out)
    /\ UNCHANGED <<node, duplicates>>

AdvanceCommit(i) ==
    /\ node[i].role = "leader"
    /\ Raft!Committable(node[i], i) # {}
    /\ node' = [node EXCEPT ![i] = Raft!AdvanceCommit(@, i).state]
    /\ UNCHANGED <<net, duplicates>>

Receive ==
    \E m \in Net!Packets(net) :
        LET step == Raft!OnMessage(node[m.to], m.to, m)
        IN  /\ node' = [node EXCEPT ![m.to] = step.state]
            /\ net' = Net!SendAll(Net!Take(net, m), step.out)
            /\ UNCHANGED duplicates

Lose ==
    \E m \in Net!Packets(net) :
        /\ net' = Net!Take(net, m)
        /\ UNCHANGED <<node, duplicates>>

Duplicate ==
    /\ duplicates < MaxDuplicates
    /\ \E m \in Net!Packets(net) :
        /\ Net!CanDuplicate(net, m)
        /\ net' = Net!Duplicate(net, m)
    /\ duplicates' = duplicates + 1
    /\ UNCHANGED node

Next ==
    \/ \E i \in Server :
          \/ Timeout(i)
          \/ \E v \in Value : Request(i, v)
          \/ \E j \in Server : Replicate(i, j)
          \/ AdvanceCommit(i)
    \/ Receive
    \/ Lose
    \/ Duplicate

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
FewPackets == Net!InFlight(net) <= MaxPackets

ElectionSafety == Raft!ElectionSafety(node)
LogMatching == Raft!LogMatching(node)
StateMachineSafety == Raft!StateMachineSafety(node)
LeaderCompleteness == Raft!LeaderCompleteness(node)
CommittedIsInLog == \A i \in Server : node[i].commit <= Len(node[i].log)
=============================================================================
