------------------------------- MODULE Silent -------------------------------
(* As Pinger, but nothing is sent: the programs send what this does not know. *)
EXTENDS Pinger
SilentPing(i) ==
    /\ Up(i)
    /\ sent[i] < MaxSent
    /\ sent' = [sent EXCEPT ![i] = @ + 1]
    /\ UNCHANGED <<seen, total, net, faults>>
=============================================================================
