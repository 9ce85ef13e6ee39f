----------------------------- MODULE Counter -----------------------------
(***************************************************************************)
(* Two counters that go round, and one property of every kind, true and    *)
(* false ones: a configuration for each verdict.                           *)
(***************************************************************************)
EXTENDS Naturals, TLC

CONSTANT N
VARIABLES x, y
vars == <<x, y>>

Init == x = 0 /\ y = 0
IncX == x' = (x + 1) % N /\ UNCHANGED y
IncY == y < x /\ y' = y + 1 /\ UNCHANGED x
Next == IncX \/ IncY
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(IncX) /\ WF_vars(IncY)
StrongSpec == Spec /\ WF_vars(IncX) /\ SF_vars(IncY)

TypeOK == x \in 0 .. N - 1 /\ y \in 0 .. N - 1
YIsSmall == y < 2
StartsElsewhere == x = 1

\* Action properties
YGrows == [][y' >= y]_vars
XGrows == [][x' >= x]_vars

\* Temporal properties
XComesBack == []<>(x = 0)
YReachesTop == <>(y = N - 1)
YBecomesEven == [](y = 1 => <>(y % 2 = 0))
Tautology == <>TRUE
XStaysLow == <>[](x < 2)

\* Stops at the top
NextUp == x < N - 1 /\ x' = x + 1 /\ UNCHANGED y

\* Assertions
NextAssert == IncX /\ Assert(x < 2, "x is no longer below 2")

\* Mistakes
NextBad == x' = x + 1 /\ y' = IF x = 2 THEN CHOOSE z \in {} : TRUE ELSE y
InvBad == IF x = 2 THEN y[1] = 0 ELSE TRUE
NextHalf == x' = (x + 1) % N
InvNoBool == x
PostTrue == TLCGet("distinct") > 3
PostFalse == TLCGet("distinct") < 3
Always == N > 0
Never == N < 0
=============================================================================
