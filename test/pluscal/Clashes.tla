------------------------------- MODULE Clashes -------------------------------
EXTENDS Integers, Sequences
(* --algorithm Clashes
variables x = 0, a = 1;
procedure P(x1, t) variable y = t; begin
a: y := x1 + t; return;
end procedure;
procedure R(t) begin
a: t := 0; x := x + t; return;
end procedure;
process A \in 1..2
variables y = 0, t = y + x
begin
a: y := x + t;
   x := [y |-> y, t |-> t].y;
b: call P(y, t);
c: goto a;
end process;
process B = 3
variables y = 1
begin
a: y := y + 1;
B: call R(y);
end process;
end algorithm; *)
=============================================================================
