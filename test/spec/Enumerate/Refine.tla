---- MODULE Refine ----
\* Refinement with fairness: inside ENABLED the primed variables of Clock are variables of their own, not what they are substituted by.
EXTENDS Naturals
VARIABLES hi, lo, done
Time == 2 * hi + lo
C(n) == INSTANCE Clock WITH Limit <- n, now <- Time, rung <- done = "yes"
Init == hi = 0 /\ lo = 0 /\ done = "no"
Low == lo = 0 /\ lo' = 1 /\ UNCHANGED <<hi, done>> /\ Time < 3
High == lo = 1 /\ hi < 1 /\ hi' = hi + 1 /\ lo' = 0 /\ UNCHANGED done
Done == Time = 3 /\ done' = "yes" /\ UNCHANGED <<hi, lo>>
Next == Low \/ High \/ Done
Spec == Init /\ [][Next]_<<hi, lo, done>> /\ WF_<<hi, lo, done>>(Next)
ClockSpec == C(3)!Spec
Rings == <>(done = "yes")
====
