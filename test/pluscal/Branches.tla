------------------------------ MODULE Branches ------------------------------
EXTENDS Integers, Sequences, TLC
(* Labels within branches; calls, returns and jumps at the ends of branches.
--algorithm Branches
variables x = 0; y = [a |-> 1, b |-> << 1, 2 >>]; queue = << >>;
define
  Positive(n) == n > 0
  Small == /\ x < 10
           /\ y.a < 10
end define;
macro Set(v, e) begin v := e; end macro;
macro Deep(v, i) begin if Positive(v[i]) then Set(v[i], 0); else v[i] := v[i] + 1; end if; end macro;
macro Ask(p, a) begin either await Positive(a); or skip; end either; end macro;
macro Give(n) begin call Take(n + 1, x); end macro;
procedure Take(n, m = 2)
variables got = n; left;
begin
T1: either
      T2: got := got - 1;
      T3: if got > 0 then T4: call Take(got, m); return; end if;
    or
      left := m;
    or
      T5: while got < 3 do got := got + 1; T6: left := got; end while;
    end either;
T7: if left = 0 then return; elsif left = 1 then goto T1; elsif left = 2 then call Drop(); else skip; end if;
T8: return;
end procedure;
procedure Drop()
begin
D1: queue := Tail(queue);
    call Take(1, 2);
    goto D2;
D2: return;
end procedure;
procedure Round(n)
variable k = 0;
begin
R1: call Round(n - 1);
    return;
end procedure;
fair process first = 0
variables z; w \in {1, 2};
begin
F1: if x = 0 then x := 1; goto F1; else x := 2; end if;
F2: if x = 1 then goto F1; elsif x = 2 then call Drop(); end if;
F3: either goto F1; or x := 3; end either;
F4: either call Take(1, 2); or x := 4; or goto Done; end either;
F5: while TRUE do
      x := x + 1 || y.a := x;
      if x > 3 then F6: x := 0; else F7: y.b[1] := 2 || y.b[2] := 3; end if;
      F8: with i \in 1..2, j = i do y.b[i] := j; if j = 1 then goto F9; end if; end with;
      F9: Deep(y.b, 1);
    end while;
end process;
fair+ process others \in 1..2
begin
O1:- Set(x, x + 1);
O2:+ Set(y.a, self);
O3: Ask(self, x);
O4: Give(self);
O5: call Round(3);
O6: queue := Append(queue, [who |-> self]);
    print << queue, self >>;
    assert Small;
    await Len(queue) > 0 \/ x = 0;
    when TRUE;
end process;
end algorithm; *)
=============================================================================
