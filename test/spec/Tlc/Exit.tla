---- MODULE Exit ----
EXTENDS TLC, Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x' = x + 1 /\ y' = y
        \/ y' = y + 1 /\ x' = x
C == x + y < 300
Inv == TLCSet("exit", x + y >= 20)
Inv2 == TLCGet("distinct") > 100 => TLCSet("exit", TRUE)
NextE == Next /\ TLCSet("exit", x = 5)
CE == TLCSet("exit", x = 5) /\ C
====
