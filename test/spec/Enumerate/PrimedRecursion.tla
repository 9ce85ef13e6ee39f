-------------------------- MODULE PrimedRecursion --------------------------
(***************************************************************************)
(* Recursive functions and operators that read variables whose next values *)
(* are being made, when some of them have a value and when all have.       *)
(***************************************************************************)
EXTENDS Naturals

VARIABLES x, y, z

Init == x = 0 /\ y = 0 /\ z = 0

RECURSIVE Down(_)
Down(n) == IF n = 0 THEN x' + y ELSE (Down(n - 1) + x') % 5

Some ==
    /\ x' \in {(x + 1) % 4, (x + 2) % 4}
    /\ LET f[i \in 0..3] == IF i = 0 THEN x' ELSE (f[i - 1] + x' + x) % 6 IN y' = f[3]
    /\ z' = Down(2)

All ==
    /\ x' = (x + 1) % 4
    /\ y' \in {y, (y + 1) % 3}
    /\ z' = (z + x') % 3
    /\ LET f[i \in 0..2] == IF i = 0 THEN y' + z' ELSE f[i - 1] + x' IN f[2] > 1
    /\ Down(1) < 4

Next == Some \/ All
=============================================================================
