-------------------------------- MODULE Union --------------------------------
(* A choice from a union that TLC does not make: elements of both sides count twice. *)
EXTENDS Integers

VARIABLES m, more

Message == [type : {"req"}, term : 0 .. 2] \cup [type : {"nop"}]

Init == m = [type |-> "nop"] /\ more = {[type |-> "nop"]}

Next == /\ m' \in (Message \cup more)
        /\ more' = IF m.type = "req" THEN more \cup {m} ELSE more
==============================================================================
