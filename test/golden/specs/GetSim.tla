---- MODULE GetSim ----
(* What a random walk knows of itself. *)
EXTENDS TLC, TLCExt, Naturals
VARIABLE x
Init == x = 0 /\ PrintT(<<"init", TLCGet("action").name, TLCGet("level")>>)
A(i) == x' = x + i
Next == \E i \in {1} : A(i)
Inv == /\ PrintT(<<TLCGet("level"), TLCGet("diameter"), TLCGet("action")>>)
       /\ PrintT(TLCGet("stats").behavior)
       /\ PrintT([i \in DOMAIN Trace |-> Trace[i]._action.name])
Post == /\ PrintT([TLCGet("stats") EXCEPT !.duration = 0])
        /\ PrintT([TLCGet("config") EXCEPT !.install = "", !.seed = ""])
        /\ PrintT(TLCGet("action"))
        /\ PrintT(TLCGet("generated"))
====
