---- MODULE TwoPc ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS C, P, MaxFaults
VARIABLES phase, votes, state, net, faults
Node == {C} \cup P
Net == INSTANCE TcpNetwork
vars == <<phase, votes, state, net, faults>>

Init ==
    /\ phase = "init"
    /\ votes = 0
    /\ state = [p \in P |-> "working"]
    /\ net = Net!Init
    /\ faults = 0

Begin ==
    /\ ~Net!IsDown(net, C)
    /\ phase = "init"
    /\ phase' = "asking"
    /\ net' = Net!Broadcast(net, C, LAMBDA p : [kind |-> "prepare"])
    /\ UNCHANGED <<votes, state, faults>>

Vote(p) ==
    /\ Net!CanReceive(net, C, p)
    /\ Net!First(net, C, p).kind = "prepare"
    /\ state[p] = "working"
    /\ state' = [state EXCEPT ![p] = "prepared"]
    /\ net' = Net!Send(Net!Take(net, C, p), p, C, [kind |-> "yes"])
    /\ UNCHANGED <<phase, votes, faults>>

Count(p) ==
    /\ Net!CanReceive(net, p, C)
    /\ votes' = votes + 1
    /\ IF votes + 1 = Cardinality(P)
          THEN /\ phase' = "committed"
               /\ net' = Net!Broadcast(Net!Take(net, p, C), C, LAMBDA q : [kind |-> "commit"])
          ELSE /\ UNCHANGED phase
               /\ net' = Net!Take(net, p, C)
    /\ UNCHANGED <<state, faults>>

Commit(p) ==
    /\ Net!CanReceive(net, C, p)
    /\ Net!First(net, C, p).kind = "commit"
    /\ state' = [state EXCEPT ![p] = "committed"]
    /\ net' = Net!Take(net, C, p)
    /\ UNCHANGED <<phase, votes, faults>>

Crash(p) ==
    /\ faults < MaxFaults
    /\ ~Net!IsDown(net, p)
    /\ net' = Net!Crash(net, p)
    /\ faults' = faults + 1
    /\ UNCHANGED <<phase, votes, state>>

Restart(p) ==
    /\ Net!IsDown(net, p)
    /\ net' = Net!Restart(net, p)
    /\ UNCHANGED <<phase, votes, state, faults>>

Next ==
    \/ Begin
    \/ \E p \in P : Vote(p) \/ Count(p) \/ Commit(p) \/ Crash(p) \/ Restart(p)

Spec == Init /\ [][Next]_vars
Safe == \A p \in P : state[p] = "committed" => phase = "committed"
====
