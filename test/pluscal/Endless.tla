------------------------------- MODULE Endless -------------------------------
EXTENDS Integers
(* No variable pc is needed. *)
(* --algorithm Endless {
variables x = 0, y = [i \in 1..2 |-> 0];
fair process (P \in 1..2)
variable z = 0;
{ L: while (TRUE) {
       either { x := x + 1; y[self] := z }
       or { if (x > 3) { x := 0 } else { z := x } };
       await y[self] # 4
     }
}
process (Q = 3)
{ M: while (TRUE) { with (d \in {-1, 1}) { x := x + d } } }
} *)
=============================================================================
