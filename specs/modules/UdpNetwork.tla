----------------------------- MODULE UdpNetwork -----------------------------
(***************************************************************************)
(* A network that promises nothing, as UDP: a packet may be lost, arrive   *)
(* more than once, and overtake others. A packet is never changed, and     *)
(* none arrives that was not sent.                                         *)
(*                                                                         *)
(* The module has no variables. The state of the network is a bag of       *)
(* packets, kept in a variable of the specification that uses it. Packets  *)
(* are records with at least the fields `from` and `to`.                   *)
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

CONSTANT MaxCopies   \* of one packet at any time: a bound for model checking

Init == EmptyBag

Packets(net) == BagToSet(net)

\* A packet of which MaxCopies are on their way already is lost when it is sent once more.
Send(net, p) ==
    IF CopiesIn(p, net) < MaxCopies THEN net (+) SetToBag({p}) ELSE net

SendAll(net, ps) ==
    net (+) SetToBag({p \in ps : CopiesIn(p, net) < MaxCopies})

\* One copy leaves the network: it was received, or it was lost.
Take(net, p) == net (-) SetToBag({p})

CanDuplicate(net, p) == CopiesIn(p, net) < MaxCopies
Duplicate(net, p) == net (+) SetToBag({p})

\* All packets between the members of `side` and the others are lost.
Partition(net, side) ==
    net (-) [p \in {q \in Packets(net) : (q.from \in side) # (q.to \in side)} |-> net[p]]

InFlight(net) == BagCardinality(net)
=============================================================================
