------------------------------- MODULE Moves -------------------------------
(***************************************************************************)
(* Nodes pass a token and colour each other; who had it is a history. The  *)
(* nodes are symmetric.                                                    *)
(***************************************************************************)
EXTENDS Naturals, Sequences, TLC

CONSTANTS Node, None

VARIABLES token, colour, hist, owners
vars == <<token, colour, hist, owners>>

Symmetry == Permutations(Node)

Init ==
    /\ token \in Node
    /\ colour = [n \in Node |-> 0]
    /\ hist = <<>>
    /\ owners = [n \in Node |-> 0]

Pass(m) ==
    /\ token # None /\ m # token
    /\ token' = m
    /\ colour' = [colour EXCEPT ![m] = (@ + 1) % 3]
    /\ hist' = IF Len(hist) < 3 THEN Append(hist, m) ELSE <<token>>
    /\ owners' = [owners EXCEPT ![m] = (@ + 1) % 2]

Drop ==
    /\ token # None
    /\ colour[token] = 2
    /\ token' = None
    /\ UNCHANGED <<colour, hist, owners>>

Take(m) ==
    /\ token = None
    /\ token' = m
    /\ hist' = <<m>>
    /\ UNCHANGED <<colour, owners>>

Next == Drop \/ \E m \in Node : Pass(m) \/ Take(m)

Spec == Init /\ [][Next]_vars

TypeOK == token \in Node \union {None} /\ colour \in [Node -> 0 .. 2]
=============================================================================
