------------------------------- MODULE Window -------------------------------
(***************************************************************************)
(* A sliding window over channels that lose messages: the sender may be up *)
(* to Size numbers ahead of what is acknowledged, and goes back when it    *)
(* loses patience. A channel that keeps being used delivers in the end:    *)
(* strong fairness of receiving. Then all that was to be sent arrives.     *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS Size, Last, Capacity

VARIABLES
    base,       \* sender: everything below is acknowledged
    next,       \* sender: the number to send next
    expected,   \* receiver: the number that it waits for
    got,        \* what the receiver has handed on
    data,       \* the channel of numbers
    acks        \* the channel of acknowledgements

vars == <<base, next, expected, got, data, acks>>

Init ==
    /\ base = 1
    /\ next = 1
    /\ expected = 1
    /\ got = <<>>
    /\ data = <<>>
    /\ acks = <<>>

\* An acknowledgement that does not fit is lost.
Acknowledge(n) == acks' = IF Len(acks) < Capacity THEN Append(acks, n) ELSE acks

Send ==
    /\ next < base + Size
    /\ next <= Last
    /\ Len(data) < Capacity
    /\ data' = Append(data, next)
    /\ next' = next + 1
    /\ UNCHANGED <<base, expected, got, acks>>

GoBack ==
    /\ base < next
    /\ next' = base
    /\ UNCHANGED <<base, expected, got, data, acks>>

\* Whatever comes is answered with the number that is waited for.
ReceiveData ==
    /\ data # <<>>
    /\ data' = Tail(data)
    /\ IF Head(data) = expected
          THEN /\ expected' = expected + 1
               /\ got' = Append(got, Head(data))
               /\ Acknowledge(expected + 1)
          ELSE /\ Acknowledge(expected)
               /\ UNCHANGED <<expected, got>>
    /\ UNCHANGED <<base, next>>

ReceiveAck ==
    /\ acks # <<>>
    /\ acks' = Tail(acks)
    /\ base' = IF Head(acks) > base THEN Head(acks) ELSE base
    /\ next' = IF Head(acks) > next THEN Head(acks) ELSE next
    /\ UNCHANGED <<expected, got, data>>

LoseData ==
    /\ data # <<>>
    /\ data' = Tail(data)
    /\ UNCHANGED <<base, next, expected, got, acks>>

LoseAck ==
    /\ acks # <<>>
    /\ acks' = Tail(acks)
    /\ UNCHANGED <<base, next, expected, got, data>>

Next == Send \/ GoBack \/ ReceiveData \/ ReceiveAck \/ LoseData \/ LoseAck

\* The number that is waited for arrives if it is sent again and again.
Deliver == ReceiveData /\ expected' # expected
Progress == ReceiveAck /\ base' # base

Fairness ==
    /\ WF_vars(Send)
    /\ SF_vars(GoBack)
    /\ SF_vars(ReceiveData)
    /\ WF_vars(ReceiveAck)
    /\ SF_vars(Deliver)
    /\ SF_vars(Progress)

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
TypeOK ==
    /\ base \in 1 .. Last + 1
    /\ next \in base .. base + Size
    /\ expected \in 1 .. Last + 1
    /\ \A k \in 1 .. Len(data) : data[k] \in 1 .. Last
    /\ \A k \in 1 .. Len(acks) : acks[k] \in 1 .. Last + 1

InOrder ==
    /\ Len(got) = expected - 1
    /\ \A k \in 1 .. Len(got) : got[k] = k

AcksAreTrue == base <= expected /\ \A k \in 1 .. Len(acks) : acks[k] <= expected

Arrives == <>(Len(got) = Last)
Step == \A k \in 1 .. Last : (base = k) ~> (base > k)
=============================================================================
