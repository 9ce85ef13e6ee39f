---- MODULE Ladder ----
(* A ladder whose best bounds are known: every branch needs MaxTimeouts >= 3 and MaxRequests >= 3, and every complete walk uses up
   its budgets, so that larger ones only make walks deeper. *)
EXTENDS Naturals
CONSTANTS MaxTimeouts, MaxRequests
VARIABLES t, r, mode

Init == t = 0 /\ r = 0 /\ mode = "idle"
Timeout ==
    /\ t < MaxTimeouts
    /\ t' = t + 1
    /\ mode' = IF t' >= 3 THEN "leader" ELSE "candidate"
    /\ UNCHANGED r
Request ==
    /\ r < MaxRequests
    /\ r' = r + 1
    /\ \/ mode = "leader" /\ mode' = "busy"
       \/ mode # "leader" /\ UNCHANGED mode
    /\ UNCHANGED t
Finish ==
    /\ mode = "busy"
    /\ mode' = CASE r = 1 -> "leader" [] r = 2 -> "idle" [] OTHER -> "done"
    /\ UNCHANGED <<t, r>>
Next == Timeout \/ Request \/ Finish
Few == t <= 2
====
