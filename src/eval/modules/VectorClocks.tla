---------------------------- MODULE VectorClocks ----------------------------
(* Logs whose entries carry vector clocks: functions from nodes to numbers, in which a missing node means 0. *)
EXTENDS Naturals, Sequences, Functions

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(concurrent, v1, v2, i, j, happenedBefore, log, clock, Fill, c, D, d, vci, vcj, node, domain, newlog, f) ==
  <<concurrent, v1, v2, i, j, happenedBefore, log, clock, Fill, c, D, d, vci, vcj, node, domain, newlog, f>>

LOCAL At_(c, n_) == IF n_ \in DOMAIN c THEN c[n_] ELSE 0

(* Clock c is before d, or neither is before the other: d knows of something that c does not. *)
LOCAL MayPrecede_(c, d) == \E n_ \in DOMAIN c \cup DOMAIN d : At_(c, n_) < At_(d, n_)

IsCausalOrder(log, clock(_)) ==
  \A later_ \in 1 .. Len(log) : \A earlier_ \in 1 .. later_ - 1 :
    MayPrecede_(clock(log[earlier_]), clock(log[later_]))

(* The log in an order in which causes come first. clock, node and domain give an entry's clock, its node, and the
   nodes of a clock. Every event of a node must be in the log. *)
CausalOrder(log, clock(_), node(_), domain(_)) ==
  CHOOSE order_ \in {f \in [1 .. Len(log) -> Range(log)] : Range(f) = Range(log)} :
    /\ IsCausalOrder(order_, clock)
    /\ \A e_ \in Range(log) : node(e_) \in domain(clock(e_))
=============================================================================
