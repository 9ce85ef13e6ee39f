---------------------------- MODULE VectorClocks ----------------------------
(* Logs whose entries carry vector clocks: functions from nodes to numbers, in which a missing node means 0. *)
EXTENDS Naturals, Sequences, Functions

LOCAL At(c, n) == IF n \in DOMAIN c THEN c[n] ELSE 0

(* Clock c is before d, or neither is before the other: d knows of something that c does not. *)
LOCAL MayPrecede(c, d) == \E n \in DOMAIN c \cup DOMAIN d : At(c, n) < At(d, n)

IsCausalOrder(log, clock(_)) ==
  \A later \in 1 .. Len(log) : \A earlier \in 1 .. later - 1 :
    MayPrecede(clock(log[earlier]), clock(log[later]))

(* The log in an order in which causes come first. clock, node and domain give an entry's clock, its node, and the
   nodes of a clock. Every event of a node must be in the log. *)
CausalOrder(log, clock(_), node(_), domain(_)) ==
  CHOOSE order \in {f \in [1 .. Len(log) -> Range(log)] : Range(f) = Range(log)} :
    /\ IsCausalOrder(order, clock)
    /\ \A e \in Range(log) : node(e) \in domain(clock(e))
=============================================================================
