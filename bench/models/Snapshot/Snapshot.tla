------------------------------ MODULE Snapshot ------------------------------
(***************************************************************************)
(* The distributed snapshot of Chandy and Lamport, taken while nodes send  *)
(* each other money. What the snapshot shows must add up, although there   *)
(* was never a moment at which all of it was true.                         *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS Nodes, Money, MaxQueue

Node == 1 .. Nodes
Channel == {c \in Node \X Node : c[1] # c[2]}
Marker == 0    \* no payment is 0

VARIABLES
    cash,       \* [Node -> Nat]
    queue,      \* [Channel -> Seq(amount or Marker)]
    recorded,   \* [Node -> [done, cash]]: the state of the node in the snapshot
    tape,       \* [Channel -> Nat]: what the snapshot says is on the channel
    open        \* the channels that are being recorded

vars == <<cash, queue, recorded, tape, open>>

NotYet == [done |-> FALSE, cash |-> 0]

Init ==
    /\ cash = [n \in Node |-> Money]
    /\ queue = [c \in Channel |-> <<>>]
    /\ recorded = [n \in Node |-> NotYet]
    /\ tape = [c \in Channel |-> 0]
    /\ open = {}

Into(n) == {c \in Channel : c[2] = n}
OutOf(n) == {c \in Channel : c[1] = n}

Pay(c, amount) ==
    /\ amount <= cash[c[1]]
    /\ Len(queue[c]) < MaxQueue
    /\ cash' = [cash EXCEPT ![c[1]] = @ - amount]
    /\ queue' = [queue EXCEPT ![c] = Append(@, amount)]
    /\ UNCHANGED <<recorded, tape, open>>

Collect(c) ==
    /\ queue[c] # <<>>
    /\ Head(queue[c]) # Marker
    /\ cash' = [cash EXCEPT ![c[2]] = @ + Head(queue[c])]
    /\ queue' = [queue EXCEPT ![c] = Tail(@)]
    /\ tape' = IF c \in open THEN [tape EXCEPT ![c] = @ + Head(queue[c])] ELSE tape
    /\ UNCHANGED <<recorded, open>>

\* n writes down its own state, sends markers, and records what comes in.
Record(n, q, listen) ==
    /\ recorded' = [recorded EXCEPT ![n] = [done |-> TRUE, cash |-> cash[n]]]
    /\ queue' = [c \in Channel |-> IF c \in OutOf(n) THEN Append(q[c], Marker) ELSE q[c]]
    /\ open' = open \cup listen

Begin(n) ==
    /\ \A m \in Node : ~recorded[m].done
    /\ Record(n, queue, Into(n))
    /\ UNCHANGED <<cash, tape>>

SeeMarker(c) ==
    /\ queue[c] # <<>>
    /\ Head(queue[c]) = Marker
    /\ LET rest == [queue EXCEPT ![c] = Tail(@)]
       IN  IF recorded[c[2]].done
              THEN /\ queue' = rest
                   /\ open' = open \ {c}
                   /\ UNCHANGED recorded
              ELSE Record(c[2], rest, Into(c[2]) \ {c})
    /\ UNCHANGED <<cash, tape>>

Next ==
    \/ \E n \in Node : Begin(n)
    \/ \E c \in Channel :
          \/ \E amount \in 1 .. Nodes * Money : Pay(c, amount)
          \/ Collect(c)
          \/ SeeMarker(c)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Total == Nodes * Money

TypeOK ==
    /\ cash \in [Node -> 0 .. Total]
    /\ \A c \in Channel : \A k \in 1 .. Len(queue[c]) : queue[c][k] \in 0 .. Total
    /\ recorded \in [Node -> [done : BOOLEAN, cash : 0 .. Total]]
    /\ tape \in [Channel -> 0 .. Total]
    /\ open \subseteq Channel

RECURSIVE Sum(_, _)
Sum(f, S) ==
    IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

MarkerOnWay(c) == \E k \in 1 .. Len(queue[c]) : queue[c][k] = Marker

Complete ==
    /\ \A n \in Node : recorded[n].done
    /\ open = {}
    /\ \A c \in Channel : ~MarkerOnWay(c)

AddsUp ==
    Complete => Sum([n \in Node |-> recorded[n].cash], Node) + Sum(tape, Channel) = Total
=============================================================================
