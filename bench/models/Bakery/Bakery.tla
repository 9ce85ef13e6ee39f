------------------------------- MODULE Bakery -------------------------------
(***************************************************************************)
(* Lamport's bakery, step by step: a process reads the numbers of the      *)
(* others one at a time, first to draw a larger one, then to wait for its  *)
(* turn. Written in the style of translated PlusCal: pc says where a       *)
(* process is.                                                             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Processes, MaxNumber

Proc == 1 .. Processes
Label == {"ncs", "enter", "read", "draw", "wait_door", "wait_turn", "cs", "exit"}

VARIABLES
    pc,        \* [Proc -> Label]
    number,    \* shared
    choosing,  \* shared: a flag
    unread,    \* local: those who are still to be looked at
    largest,   \* local: the largest number seen
    other      \* local: whom the process is waiting for, or 0

vars == <<pc, number, choosing, unread, largest, other>>

Init ==
    /\ pc = [p \in Proc |-> "ncs"]
    /\ number = [p \in Proc |-> 0]
    /\ choosing = [p \in Proc |-> FALSE]
    /\ unread = [p \in Proc |-> {}]
    /\ largest = [p \in Proc |-> 0]
    /\ other = [p \in Proc |-> 0]

Go(p, label) == pc' = [pc EXCEPT ![p] = label]

\* Ties are broken by the number of the process.
Before(p, q) ==
    \/ number[p] < number[q]
    \/ number[p] = number[q] /\ p < q

NonCritical(p) ==
    /\ pc[p] = "ncs"
    /\ Go(p, "enter")
    /\ UNCHANGED <<number, choosing, unread, largest, other>>

Enter(p) ==
    /\ pc[p] = "enter"
    /\ choosing' = [choosing EXCEPT ![p] = TRUE]
    /\ unread' = [unread EXCEPT ![p] = Proc \ {p}]
    /\ largest' = [largest EXCEPT ![p] = 0]
    /\ Go(p, "read")
    /\ UNCHANGED <<number, other>>

Read(p) ==
    /\ pc[p] = "read"
    /\ IF unread[p] = {}
          THEN /\ Go(p, "draw")
               /\ UNCHANGED <<unread, largest>>
          ELSE \E q \in unread[p] :
                  /\ largest' = [largest EXCEPT ![p] = IF number[q] > @ THEN number[q] ELSE @]
                  /\ unread' = [unread EXCEPT ![p] = @ \ {q}]
                  /\ UNCHANGED pc
    /\ UNCHANGED <<number, choosing, other>>

Draw(p) ==
    /\ pc[p] = "draw"
    /\ largest[p] < MaxNumber
    /\ number' = [number EXCEPT ![p] = largest[p] + 1]
    /\ choosing' = [choosing EXCEPT ![p] = FALSE]
    /\ unread' = [unread EXCEPT ![p] = Proc \ {p}]
    /\ largest' = [largest EXCEPT ![p] = 0]
    /\ Go(p, "wait_door")
    /\ UNCHANGED other

WaitDoor(p) ==
    /\ pc[p] = "wait_door"
    /\ IF unread[p] = {}
          THEN Go(p, "cs") /\ UNCHANGED <<unread, other>>
          ELSE \E q \in unread[p] :
                  /\ ~choosing[q]
                  /\ other' = [other EXCEPT ![p] = q]
                  /\ unread' = [unread EXCEPT ![p] = @ \ {q}]
                  /\ Go(p, "wait_turn")
    /\ UNCHANGED <<number, choosing, largest>>

WaitTurn(p) ==
    /\ pc[p] = "wait_turn"
    /\ number[other[p]] = 0 \/ Before(p, other[p])
    /\ other' = [other EXCEPT ![p] = 0]
    /\ Go(p, "wait_door")
    /\ UNCHANGED <<number, choosing, unread, largest>>

Critical(p) ==
    /\ pc[p] = "cs"
    /\ Go(p, "exit")
    /\ UNCHANGED <<number, choosing, unread, largest, other>>

Exit(p) ==
    /\ pc[p] = "exit"
    /\ number' = [number EXCEPT ![p] = 0]
    /\ Go(p, "ncs")
    /\ UNCHANGED <<choosing, unread, largest, other>>

Step(p) ==
    \/ NonCritical(p) \/ Enter(p) \/ Read(p) \/ Draw(p)
    \/ WaitDoor(p) \/ WaitTurn(p) \/ Critical(p) \/ Exit(p)

Next == \E p \in Proc : Step(p)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
TypeOK ==
    /\ pc \in [Proc -> Label]
    /\ number \in [Proc -> 0 .. MaxNumber]
    /\ choosing \in [Proc -> BOOLEAN]
    /\ unread \in [Proc -> SUBSET Proc]
    /\ largest \in [Proc -> 0 .. MaxNumber]
    /\ other \in [Proc -> 0 .. Processes]

MutualExclusion == \A p, q \in Proc : (p # q /\ pc[p] = "cs") => pc[q] # "cs"

\* Whoever is inside comes before all that have drawn a number and are not choosing again.
InOrder ==
    \A p \in Proc : pc[p] = "cs" =>
        /\ number[p] # 0
        /\ \A q \in Proc \ {p} : pc[q] \in {"wait_door", "wait_turn", "cs"} => Before(p, q)
=============================================================================
