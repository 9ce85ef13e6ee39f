---- MODULE Registers ----
\* Registers, levels and predicates that must hold somewhere.
EXTENDS Naturals, TLC
VARIABLE n

ASSUME TLCSet(3, 40) /\ TLCSet("s:start", {7})

Init == /\ n = TLCGet(3) - 40
        /\ TLCGet("s:start") = {7}
        /\ TLCSet(4, "set in Init")
Next == /\ n < 4
        /\ n' = n + 1
        /\ LET old == TLCGet(3)
           IN TLCSet(3, old + 1) /\ TLCGet(3) = old + 1
        /\ TLCGet(4) = "set in Init"
        /\ TLCGet("level")' = TLCGet("level") + 1
Three == n = 3
Leap == n' > 3
Never == n = 9
NeverStep == n' = n + 2
After == /\ TLCGet("all")[3] = <<44>>
         /\ TLCGet("all:named")["s:start"] = <<{7}>>
         /\ TLCGet("all:named")["s:_possible"][1] = [Three |-> 1, Leap |-> 1]
====
