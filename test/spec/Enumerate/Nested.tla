---- MODULE Nested ----
(* Operators around operators around an action: whether the whole is an action is asked once for each of them, not once for each
   of those around it, which would be 2^48 times. *)
EXTENDS Naturals
VARIABLE x

Small(a) == x < 3 /\ a

Init == x = 0
Next ==
    Small(Small(Small(Small(Small(Small(Small(Small(
    Small(Small(Small(Small(Small(Small(Small(Small(
    Small(Small(Small(Small(Small(Small(Small(Small(
    Small(Small(Small(Small(Small(Small(Small(Small(
    Small(Small(Small(Small(Small(Small(Small(Small(
    Small(Small(Small(Small(Small(Small(Small(Small(
        x' = (x + 1) % 3
    ))))))))
    ))))))))
    ))))))))
    ))))))))
    ))))))))
    ))))))))
====
