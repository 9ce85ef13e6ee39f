---- MODULE EnabledInstance ----
\* ENABLED keeps the primed variables of the module it stands in apart, unless the action
\* comes through a parameter.
EXTENDS Naturals
VARIABLE n
In == INSTANCE EnabledInner WITH a <- n, b <- n
Init == n = 1
Next == n' = 3 - n
OwnIsState == In!Can(Next)
DirectHolds == In!Direct
PassedFails == ~In!Passed
GivenFails == ~In!Can(In!Step)
====
