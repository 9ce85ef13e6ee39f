------------------------------- MODULE ShiViz -------------------------------
(* Host and vector clock of each step of a PlusCal trace, for the ShiViz viewer: the host is the process whose pc changed. *)

LOCAL INSTANCE Integers
LOCAL INSTANCE Json
LOCAL INSTANCE TLC
INSTANCE Toolbox

LOCAL Mover ==
  LET of[i \in DOMAIN _TETrace] ==
        IF i = 1 THEN "--"
        ELSE LET old == _TETrace[i - 1].pc
                 new == _TETrace[i].pc
             IN  IF old = new THEN of[i - 1] ELSE CHOOSE p \in DOMAIN old : old[p] # new[p]
  IN  TLCEval(of)

LOCAL Clocks ==
  LET at[i \in DOMAIN _TETrace] ==
        [p \in DOMAIN _TETrace[i].pc |->
           (IF i = 1 THEN 0 ELSE at[i - 1][p] + (IF Mover[i] = p THEN 1 ELSE 0))]
  IN  TLCEval(at)

Host  == Mover[_TEPosition]
Clock == ToJsonObject(Clocks[_TEPosition])
=============================================================================
