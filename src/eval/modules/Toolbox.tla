------------------------------- MODULE Toolbox ------------------------------
(* Names that trace exploration uses; the trace itself is supplied by whoever explores. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(f, _TETraceLength) ==
  <<f, _TETraceLength>>

LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

_TETrace == CHOOSE trace_ \in [Nat \ {0} -> STRING] : TRUE

(* The position of the current state in the trace, from 1. *)
_TEPosition ==
  LET level_ == TLCGet("level")
      last_  == Cardinality(DOMAIN _TETrace)
  IN  CASE level_ \geq last_ -> last_
        [] level_ < last_ /\ level_ = 0 -> 1
        [] OTHER -> level_
=============================================================================
