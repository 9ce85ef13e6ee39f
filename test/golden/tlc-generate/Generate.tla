------------------------------ MODULE Generate ------------------------------
(* -generate draws among the values of \E, of sets, of branches: in a      *)
(* hundred walks everything is drawn, and nothing else.                    *)
EXTENDS Naturals, FiniteSets, TLC
VARIABLES a, b, c, step

ASSUME TLCSet(1, {})

Init == a = 0 /\ b = 0 /\ c = "none" /\ step = 0
Draw == \E i \in 1 .. 6, j \in {10, 20, 30, 40, 50} :
            /\ a' = i /\ b' = j
            /\ c' \in {"u", "v"}
            /\ step' = step + 1
Back == a > 3 /\ a' = 0 /\ b' = 0 /\ c' = "none" /\ step' = step + 1
Next == Draw \/ Back

Note == TLCSet(1, TLCGet(1) \cup {<<a, b, c>>})
All == ((1 .. 6) \X {10, 20, 30, 40, 50} \X {"u", "v"}) \cup {<<0, 0, "none">>}
NotThis == <<a, b, c>> # <<5, 30, "v">>
Everything == TLCGet(1) = All
=============================================================================
