------------------------------ MODULE RealTime ------------------------------
(* Time bounds on actions, after chapter 9 of the book Specifying Systems. Not checkable, but it parses. *)
EXTENDS Reals
VARIABLE now

(* A <<A>>_v step happens only after A was enabled for D, and not later than after E. *)
RTBound(A, v, D, E) ==
  LET Tick(t)   == t' = (IF <<A>>_v \/ ~ (ENABLED <<A>>_v)' THEN 0 ELSE t + (now' - now))
      Clock(t)  == t = 0 /\ [][Tick(t)]_<<t, v, now>>
      Within(t) == [](t \leq E)
      After(t)  == [][A => D \leq t]_v
  IN  \EE t : Clock(t) /\ Within(t) /\ After(t)

(* Time passes, without end, and changes nothing else. *)
RTnow(v) ==
  LET Pass == now' \in {r \in Real : now < r} /\ UNCHANGED v
  IN  now \in Real /\ [][Pass]_now /\ \A r \in Real : WF_now(Pass /\ r < now')
=============================================================================
