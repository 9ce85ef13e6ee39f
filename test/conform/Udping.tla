------------------------------- MODULE Udping -------------------------------
(* What test/conform/udping.c does, with all that UdpNetwork knows. *)
EXTENDS Integers
CONSTANTS Node, MaxSent, MaxFaults
VARIABLES sent, largest, net, cut, faults
vars == <<sent, largest, net, cut, faults>>
Net == INSTANCE UdpNetwork WITH MaxCopies <- 2

Init ==
    /\ sent = [i \in Node |-> 0]
    /\ largest = [i \in Node |-> 0]
    /\ net = Net!Init
    /\ cut = FALSE
    /\ faults = 0

Other(i) == CHOOSE j \in Node : j # i

Ping(i) ==
    /\ sent[i] < MaxSent
    /\ sent' = [sent EXCEPT ![i] = @ + 1]
    /\ net' = IF cut THEN net ELSE Net!Send(net, [from |-> i, to |-> Other(i), n |-> sent[i] + 1])
    /\ UNCHANGED <<largest, cut, faults>>

Receive(p) ==
    /\ net' = Net!Take(net, p)
    /\ largest' = [largest EXCEPT ![p.to] = IF p.n > @ THEN p.n ELSE @]
    /\ UNCHANGED <<sent, cut, faults>>

Lose(p) == net' = Net!Take(net, p) /\ UNCHANGED <<sent, largest, cut, faults>>

Duplicate(p) ==
    /\ Net!CanDuplicate(net, p)
    /\ net' = Net!Duplicate(net, p)
    /\ UNCHANGED <<sent, largest, cut, faults>>

Reboot(i) ==
    /\ faults < MaxFaults
    /\ faults' = faults + 1
    /\ sent' = [sent EXCEPT ![i] = 0]
    /\ largest' = [largest EXCEPT ![i] = 0]
    /\ net' = Net!Crash(net, i)
    /\ UNCHANGED cut

Split(i) ==
    /\ ~cut
    /\ faults < MaxFaults
    /\ faults' = faults + 1
    /\ cut' = TRUE
    /\ net' = Net!Partition(net, {i})
    /\ UNCHANGED <<sent, largest>>

Join == cut /\ cut' = FALSE /\ UNCHANGED <<sent, largest, net, faults>>

Next ==
    \/ \E i \in Node : Ping(i) \/ Reboot(i) \/ Split(i)
    \/ \E p \in Net!Packets(net) : Receive(p) \/ Lose(p) \/ Duplicate(p)
    \/ Join
Spec == Init /\ [][Next]_vars
FewPackets == \A i \in Node : Net!InFlightOn(net, i, Other(i)) <= 6
NeverThree == \A p \in Net!Packets(net) : net[p] < 3
=============================================================================
