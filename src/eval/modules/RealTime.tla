------------------------------ MODULE RealTime ------------------------------
(* Time bounds on actions, after chapter 9 of the book Specifying Systems. Not checkable, but it parses. *)
EXTENDS Reals
VARIABLE now

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(A, v, D, E, TNext, t, Timer, MaxTime, MinTime, NowNext, r) ==
  <<A, v, D, E, TNext, t, Timer, MaxTime, MinTime, NowNext, r>>

(* A <<A>>_v step happens only after A was enabled for D, and not later than after E. *)
RTBound(A, v, D, E) ==
  LET Tick_(t)   == t' = (IF <<A>>_v \/ ~ (ENABLED <<A>>_v)' THEN 0 ELSE t + (now' - now))
      Clock(t)  == t = 0 /\ [][Tick_(t)]_<<t, v, now>>
      Within_(t) == [](t \leq E)
      After_(t)  == [][A => D \leq t]_v
  IN  \EE t : Clock(t) /\ Within_(t) /\ After_(t)

(* Time passes, without end, and changes nothing else. *)
RTnow(v) ==
  LET Pass_ == now' \in {r \in Real : now < r} /\ UNCHANGED v
  IN  now \in Real /\ [][Pass_]_now /\ \A r \in Real : WF_now(Pass_ /\ r < now')
=============================================================================
