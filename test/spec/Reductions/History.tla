------------------------------ MODULE History ------------------------------
(***************************************************************************)
(* Variables that are auxiliary, and some that only look so. Program says  *)
(* which step is taken; x is what counts.                                  *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT Program

VARIABLES x, hist, count, last, a, b, c, d, e, f, k
vars == <<x, hist, count, last, a, b, c, d, e, f, k>>

Init ==
    /\ x = 0 /\ hist = <<>> /\ count = 0 /\ last = 0
    /\ a = 0 /\ b = 0 /\ c = 0 /\ d = 0 /\ e = 0 /\ f = 0 /\ k = 0

Is(name) == Program = name

\* hist, count and last: nothing depends on them but themselves.
Note(what) ==
    /\ hist' = IF Len(hist) < 3 THEN Append(hist, what) ELSE <<what>>
    /\ count' = (count + 1) % 5
    /\ last' = count' + Len(hist)

Plain ==
    /\ Is("plain")
    /\ x' = (x + 1) % 4
    /\ Note("plain")
    /\ UNCHANGED <<a, b, c, d, e, f, k>>

PlainBack ==
    /\ Is("plain") /\ x > 0
    /\ x' = x - 1
    /\ Note("back")
    /\ UNCHANGED <<a, b, c, d, e, f, k>>

\* a comes to x in three steps.
Chain ==
    /\ Is("chain")
    /\ c' = (c + 1) % 4
    /\ b' = c
    /\ a' = b
    /\ x' = IF a = 2 THEN 9 ELSE 0
    /\ Note("chain")
    /\ UNCHANGED <<d, e, f, k>>

\* When no larger number is left there is no step.
Larger ==
    /\ Is("larger")
    /\ d' \in {n \in 1 .. 3 : n > d}
    /\ x' = 1 - x
    /\ Note("larger")
    /\ UNCHANGED <<a, b, c, e, f, k>>

\* The second conjunct with e' compares.
Twice ==
    /\ Is("twice")
    /\ e' = e + 1
    /\ x' = 1 - x
    /\ e' = IF e < 3 THEN e + 1 ELSE 0
    /\ Note("twice")
    /\ UNCHANGED <<a, b, c, d, f, k>>

\* Whether the value of k can be had depends on f.
Fails ==
    /\ Is("fails")
    /\ x' = 1 - x
    /\ f' = (f + 1) % 4
    /\ k' = IF f = 2 THEN Head(<<>>) ELSE 0
    /\ Note("fails")
    /\ UNCHANGED <<a, b, c, d, e>>

Next == Plain \/ PlainBack \/ Chain \/ Larger \/ Twice \/ Fails

Spec == Init /\ [][Next]_vars

TypeOK == x \in 0 .. 9
NotNine == x # 9
NotThree == x # 3
ShortHistory == Len(hist) < 3
=============================================================================
