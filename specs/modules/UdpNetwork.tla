----------------------------- MODULE UdpNetwork -----------------------------
(***************************************************************************)
(* A network that promises nothing, as UDP: a packet may be lost, arrive   *)
(* more than once, and overtake others. A packet is never changed, and     *)
(* none arrives that was not sent.                                         *)
(*                                                                         *)
(* The module has no variables. The state of the network is a bag of       *)
(* packets, kept in a variable of the specification that uses it. Packets  *)
(* are records with at least the fields `from` and `to`. Reordering needs  *)
(* no action: any packet may be received next. Crash loses what is on its  *)
(* way to a node; a partition loses what is on its way across, and is a    *)
(* variable of the specification (a set of sides, say) if it lasts.        *)
(*                                                                         *)
(* Nothing is lost but by Take, Partition and Crash: what is sent is on    *)
(* its way. Duplicate puts one more copy of a packet on its way; it        *)
(* delivers none. A model is kept finite by Fits, as a CONSTRAINT, or by   *)
(* HasRoom, as a guard; both count the packets of one channel. MaxCopies   *)
(* says how many copies of one packet CanDuplicate makes. Counters of      *)
(* losses and duplicates belong into variables of their own that a VIEW    *)
(* leaves out.                                                             *)
(*                                                                         *)
(*     Net == INSTANCE UdpNetwork WITH MaxCopies <- 2                      *)
(*     Init    == ... /\ net = Net!Init                                    *)
(*     Request == ... /\ net' = Net!Send(net, p)                           *)
(*     Receive == \E p \in Net!Packets(net) :                              *)
(*                   /\ ... p ...                                          *)
(*                   /\ net' = Net!Take(net, p)                            *)
(*     Faults  == \E p \in Net!Packets(net) :                              *)
(*                   \/ net' = Net!Take(net, p)               (loss)       *)
(*                   \/ /\ Net!CanDuplicate(net, p)                        *)
(*                      /\ net' = Net!Duplicate(net, p)                    *)
(***************************************************************************)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Bags

CONSTANT MaxCopies   \* a packet of which as many are on their way is not duplicated

Init == EmptyBag

Packets(net) == BagToSet(net)

Send(net, p) == net (+) SetToBag({p})

SendAll(net, ps) == net (+) SetToBag(ps)

\* One copy leaves the network: it was received, or it was lost.
Take(net, p) == net (-) SetToBag({p})

CanDuplicate(net, p) == CopiesIn(p, net) < MaxCopies
\* One copy more is on its way.
Duplicate(net, p) == net (+) SetToBag({p})

\* All packets between the members of `side` and the others are lost.
Partition(net, side) ==
    net (-) [p \in {q \in Packets(net) : (q.from \in side) # (q.to \in side)} |-> net[p]]

\* All packets to n are lost.
Crash(net, n) ==
    net (-) [p \in {q \in Packets(net) : q.to = n} |-> net[p]]

InFlight(net) == BagCardinality(net)

\* Of one channel, from i to j.
InFlightOn(net, i, j) ==
    BagCardinality([p \in {q \in Packets(net) : q.from = i /\ q.to = j} |-> net[p]])
HasRoom(net, i, j, most) == InFlightOn(net, i, j) < most
Fits(net, most) == \A p \in Packets(net) : InFlightOn(net, p.from, p.to) <= most
=============================================================================
