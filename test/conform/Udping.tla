------------------------------- MODULE Udping -------------------------------
(* What test/conform/udping.c does. *)
EXTENDS Integers
CONSTANTS Node, MaxSent
VARIABLES sent, largest, net
vars == <<sent, largest, net>>
Net == INSTANCE UdpNetwork WITH MaxCopies <- 2

Init ==
    /\ sent = [i \in Node |-> 0]
    /\ largest = [i \in Node |-> 0]
    /\ net = Net!Init

Ping(i) ==
    /\ sent[i] < MaxSent
    /\ sent' = [sent EXCEPT ![i] = @ + 1]
    /\ net' = Net!Send(net, [from |-> i, to |-> CHOOSE j \in Node : j # i, n |-> sent[i] + 1])
    /\ UNCHANGED largest

Receive(p) ==
    /\ net' = Net!Take(net, p)
    /\ largest' = [largest EXCEPT ![p.to] = IF p.n > @ THEN p.n ELSE @]
    /\ UNCHANGED sent

Lose(p) == net' = Net!Take(net, p) /\ UNCHANGED <<sent, largest>>

\* It arrives, and will arrive once more.
Duplicate(p) ==
    /\ largest' = [largest EXCEPT ![p.to] = IF p.n > @ THEN p.n ELSE @]
    /\ UNCHANGED <<sent, net>>

Next ==
    \/ \E i \in Node : Ping(i)
    \/ \E p \in Net!Packets(net) : Receive(p) \/ Lose(p) \/ Duplicate(p)
Spec == Init /\ [][Next]_vars
=============================================================================
