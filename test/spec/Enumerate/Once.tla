-------------------------------- MODULE Once --------------------------------
(***************************************************************************)
(* Definitions of LET and arguments that read primed variables are         *)
(* evaluated once for each way in which these get their values, and again  *)
(* for another one.                                                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLES x, y, z

Mod == 7

Init == x = 0 /\ y = 0 /\ z = 0

\* A definition that is used before and after a variable gets its value, on several ways.
Ways ==
    LET now == x'
        sum == x' + x
        both == <<sum, x' + y'>>
        set == {v \in 0..6 : v # x' /\ v # sum}
        fun == [v \in 0..2 |-> v + sum]
        Add(v) == v + sum
        rec[v \in 0..4] == IF v = 0 THEN sum ELSE (rec[v - 1] + sum) % Mod
    IN /\ \/ x' = 1
          \/ x' \in {2, 3}
          \/ \E v \in {0, 4} : x' = v
       /\ sum < 8
       /\ \/ y' = (sum + now) % Mod
          \/ y' = rec[3]
          \/ \E v \in set : v > 4 /\ y' = v
          \/ y' = fun[1] % Mod
       /\ both[1] + both[2] # 9
       /\ z' = IF Add(1) > 4 THEN both[2] % 3 ELSE Len(both) % 3

\* ENABLED has next values of its own.
Inside ==
    LET sum == x' + y
    IN /\ x' = (x + 1) % 5
       /\ sum # 6
       /\ ENABLED (x' = 3 /\ sum = 3 + y)
       /\ y' = sum % Mod
       /\ ~ ENABLED (x' \in {1, 2} /\ sum = 3 + y)
       /\ z' = sum % 2

\* A function as an action, that captures such a definition.
Function ==
    LET sum == x' + y
        act[v \in 1..2] == /\ x' = v
                           /\ y' = (sum + v) % Mod
                           /\ z' = v
    IN act[1] \/ act[2]

\* An argument.
Both(a, b) == a + a > b /\ (y' = (a + b) % Mod \/ y' = (a * b + a) % Mod)
Argument ==
    /\ \/ x' = (x + 1) % 5
       \/ x' = (x + 2) % 5
    /\ Both(x' + y, x' * x')
    /\ UNCHANGED z

Next == Ways \/ Inside \/ Function \/ Argument

=============================================================================
