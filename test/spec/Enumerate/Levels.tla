---- MODULE Levels ----
\* TLCGet("level") in VIEW, CONSTRAINT, ACTION_CONSTRAINT and invariants: the level of the state that unprimed variables speak of.
EXTENDS Naturals, TLC
VARIABLE x
Init == x = TLCGet("level")
Next == x' = (x + 1) % 3
View == <<x, TLCGet("level")>>
Bound == TLCGet("level") <= 7
Before == TLCGet("level") <= 6
Inv == TLCGet("level") >= 1
====
