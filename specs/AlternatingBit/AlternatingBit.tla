--------------------------- MODULE AlternatingBit ---------------------------
(***************************************************************************)
(* The alternating bit protocol: a sender moves values to a receiver over  *)
(* two queues that keep the order but lose messages. Each value travels    *)
(* with a bit, and is sent again and again until that bit comes back; the  *)
(* receiver takes a value only when its bit is new.                        *)
(*                                                                         *)
(* An example for liveness. Whatever is sent arrives, if a queue to which  *)
(* one writes for ever is read for ever. That needs strong fairness of     *)
(* receiving: between two losses the queue is empty, so that receiving is  *)
(* not enabled all the time. AlternatingBitWeak.cfg shows the endless      *)
(* behaviour that weak fairness leaves.                                    *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS Value, MaxQueue

VARIABLES
    sending,    \* the value and bit that the sender is at
    received,   \* the value and bit that the receiver took last
    acked,      \* the bit that came back to the sender last
    forth,      \* queue to the receiver, of values with bits
    back        \* queue to the sender, of bits

vars == <<sending, received, acked, forth, back>>

Item == [value : Value, bit : {0, 1}]

TypeOK ==
    /\ sending \in Item
    /\ received \in Item
    /\ acked \in {0, 1}
    /\ forth \in Seq(Item)
    /\ back \in Seq({0, 1})

Init ==
    /\ sending \in [value : Value, bit : {0}]
    /\ received = sending
    /\ acked = 0
    /\ forth = <<>>
    /\ back = <<>>

-----------------------------------------------------------------------------
\* The last value has been acknowledged: take the next one.
NewValue(v) ==
    /\ acked = sending.bit
    /\ sending' = [value |-> v, bit |-> 1 - sending.bit]
    /\ UNCHANGED <<received, acked, forth, back>>

Transmit ==
    /\ acked # sending.bit
    /\ Len(forth) < MaxQueue
    /\ forth' = Append(forth, sending)
    /\ UNCHANGED <<sending, received, acked, back>>

ReceiveValue ==
    /\ forth # <<>>
    /\ received' = IF Head(forth).bit # received.bit THEN Head(forth) ELSE received
    /\ forth' = Tail(forth)
    /\ UNCHANGED <<sending, acked, back>>

Acknowledge ==
    /\ Len(back) < MaxQueue
    /\ back' = Append(back, received.bit)
    /\ UNCHANGED <<sending, received, acked, forth>>

ReceiveBit ==
    /\ back # <<>>
    /\ acked' = Head(back)
    /\ back' = Tail(back)
    /\ UNCHANGED <<sending, received, forth>>

LOCAL Without(q, k) == SubSeq(q, 1, k - 1) \o SubSeq(q, k + 1, Len(q))

LoseValue ==
    /\ \E k \in 1 .. Len(forth) : forth' = Without(forth, k)
    /\ UNCHANGED <<sending, received, acked, back>>

LoseBit ==
    /\ \E k \in 1 .. Len(back) : back' = Without(back, k)
    /\ UNCHANGED <<sending, received, acked, forth>>

Next ==
    \/ \E v \in Value : NewValue(v)
    \/ Transmit \/ ReceiveValue \/ Acknowledge \/ ReceiveBit
    \/ LoseValue \/ LoseBit

Spec == Init /\ [][Next]_vars

FairSpec ==
    /\ Spec
    /\ WF_vars(Transmit) /\ WF_vars(Acknowledge)
    /\ SF_vars(ReceiveValue) /\ SF_vars(ReceiveBit)

WeakSpec ==
    /\ Spec
    /\ WF_vars(Transmit) /\ WF_vars(Acknowledge)
    /\ WF_vars(ReceiveValue) /\ WF_vars(ReceiveBit)

-----------------------------------------------------------------------------
\* When the sender goes on, the receiver has the value.
NothingIsSkipped == acked = sending.bit => received = sending

EverythingArrives ==
    \A v \in Value :
        (sending.value = v /\ acked # sending.bit) ~> (received = sending /\ received.value = v)
=============================================================================
