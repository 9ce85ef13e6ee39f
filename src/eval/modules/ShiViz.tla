------------------------------- MODULE ShiViz -------------------------------
(* Host and vector clock of each step of a PlusCal trace, for the ShiViz viewer: the host is the process whose pc changed. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(FnHost, host, i, pc, p, clock, n, sum, F, G, d, FnClock, vclock) ==
  <<FnHost, host, i, pc, p, clock, n, sum, F, G, d, FnClock, vclock>>

LOCAL INSTANCE Integers
LOCAL INSTANCE Json
LOCAL INSTANCE TLC
INSTANCE Toolbox

LOCAL Mover_ ==
  LET of_[i \in DOMAIN _TETrace] ==
        IF i = 1 THEN "--"
        ELSE LET old_ == _TETrace[i - 1].pc
                 new_ == _TETrace[i].pc
             IN  IF old_ = new_ THEN of_[i - 1] ELSE CHOOSE p \in DOMAIN old_ : old_[p] # new_[p]
  IN  TLCEval(of_)

LOCAL Clocks_ ==
  LET at_[i \in DOMAIN _TETrace] ==
        [p \in DOMAIN _TETrace[i].pc |->
           (IF i = 1 THEN 0 ELSE at_[i - 1][p] + (IF Mover_[i] = p THEN 1 ELSE 0))]
  IN  TLCEval(at_)

Host  == Mover_[_TEPosition]
Clock == ToJsonObject(Clocks_[_TEPosition])
=============================================================================
