------------------------------- MODULE Pinger -------------------------------
(* What test/conform/pinger.c does. *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Node, MaxSent, MaxTotal, MaxFaults
VARIABLES sent, seen, total, net, faults

vars == <<sent, seen, total, net, faults>>
Net == INSTANCE TcpNetwork

Init ==
    /\ sent = [i \in Node |-> 0]
    /\ seen = [i \in Node |-> 0]
    /\ total = [i \in Node |-> 0]
    /\ net = Net!Init
    /\ faults = 0

Up(i) == ~Net!IsDown(net, i)

Ping(i) ==
    /\ Up(i)
    /\ sent[i] < MaxSent
    /\ sent' = [sent EXCEPT ![i] = @ + 1]
    /\ LET ping(j) == [kind |-> "ping", n |-> sent[i] + 1]
       IN  net' = Net!Broadcast(net, i, ping)
    /\ UNCHANGED <<seen, total, faults>>

Receive(i, j) ==
    /\ i # j
    /\ Net!CanReceive(net, j, i)
    /\ seen' = [seen EXCEPT ![i] = Net!First(net, j, i).n]
    /\ net' = Net!Take(net, j, i)
    /\ UNCHANGED <<sent, total, faults>>

Add(i, v) ==
    /\ Up(i)
    /\ total[i] + v <= MaxTotal
    /\ total' = [total EXCEPT ![i] = @ + v]
    /\ UNCHANGED <<sent, seen, net, faults>>

Isolate(i) ==
    /\ faults < MaxFaults
    /\ ~Net!IsPartitioned(net)
    /\ net' = Net!Partition(net, {i})
    /\ faults' = faults + 1
    /\ UNCHANGED <<sent, seen, total>>

Heal ==
    /\ Net!IsPartitioned(net)
    /\ net' = Net!Heal(net)
    /\ UNCHANGED <<sent, seen, total, faults>>

Crash(i) ==
    /\ faults < MaxFaults
    /\ Up(i)
    /\ net' = Net!Crash(net, i)
    /\ sent' = [sent EXCEPT ![i] = 0]
    /\ seen' = [seen EXCEPT ![i] = 0]
    /\ faults' = faults + 1
    /\ UNCHANGED total

Restart(i) ==
    /\ ~Up(i)
    /\ net' = Net!Restart(net, i)
    /\ UNCHANGED <<sent, seen, total, faults>>

Next ==
    \/ \E i \in Node :
        \/ Ping(i)
        \/ \E v \in 1..2 : Add(i, v)
        \/ \E j \in Node : Receive(i, j)
        \/ Isolate(i) \/ Crash(i) \/ Restart(i)
    \/ Heal

Spec == Init /\ [][Next]_vars

Short == \A c \in Net!Channel : Len(net.queue[c]) <= 3
SeenIsSmall == \A i \in Node : seen[i] < 3
DownHasSeen == \A i \in Node : Net!IsDown(net, i) => seen[i] > 0
NobodyDown == net.down = {}
SeenNeverTwo == [][\A i \in Node : seen'[i] # 2 \/ seen[i] = 2]_vars
SeenWasSent == \A i, j \in Node : i # j /\ faults = 0 => seen[i] <= sent[j] \/ Cardinality(Node) > 2
=============================================================================
