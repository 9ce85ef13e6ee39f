---- MODULE Buffer ----
(* A buffer that a CONSTRAINT bounds: what would leave the bound is made, but is no step of a walk and takes no branch. *)
EXTENDS Naturals
CONSTANTS Senders, MaxBuffer, MaxSent
VARIABLES sent, buffer, lost

Init == sent = 0 /\ buffer = 0 /\ lost \in {0, 1}
Send(s) ==
    /\ sent < MaxSent
    /\ sent' = sent + 1
    /\ IF buffer >= 2 THEN buffer' = buffer + 1 /\ lost' = lost
       ELSE buffer' = buffer + 1 /\ UNCHANGED lost
Take == buffer > 0 /\ buffer' = buffer - 1 /\ UNCHANGED <<sent, lost>>
Drop == buffer > 1 /\ (lost < 3 \/ sent = 0) /\ lost' = lost + 1 /\ buffer' = buffer - 1 /\ UNCHANGED sent
Rest == UNCHANGED <<sent, buffer, lost>>
Next == (\E s \in Senders : Send(s)) \/ Take \/ Drop \/ Rest
Bounded == buffer <= MaxBuffer
NeverLost == lost < 3
====
