------------------------------- MODULE Toolbox ------------------------------
(* Names that trace exploration uses; the trace itself is supplied by whoever explores. *)

LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

_TETrace == CHOOSE trace \in [Nat \ {0} -> STRING] : TRUE

(* The position of the current state in the trace, from 1. *)
_TEPosition ==
  LET level == TLCGet("level")
      last  == Cardinality(DOMAIN _TETrace)
  IN  CASE level \geq last -> last
        [] level < last /\ level = 0 -> 1
        [] OTHER -> level
=============================================================================
