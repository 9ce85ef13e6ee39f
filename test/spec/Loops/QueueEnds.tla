----------------------------- MODULE QueueEnds -----------------------------
(* The state of a log that fits no action is the last one: when it has been looked at, nothing is left in the queue. *)
EXTENDS Integers, TLC
CONSTANT Fits
VARIABLE line
Init == line = 1
Next == line <= Fits /\ line' = line + 1
Matched == [](line <= 9 => [](TLCGet("queue") = 1 \/ line > 9))
=============================================================================
