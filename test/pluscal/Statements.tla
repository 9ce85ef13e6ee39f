----------------------------- MODULE Statements -----------------------------
(* Every statement of the P syntax, in one process. *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANT N

(*
PlusCal options (-termination)
--algorithm Statements
variables a = 0, b \in 1..3;
          queue = << >>;
          table = [i \in 1..N |-> [left |-> i, right |-> 0]];
          unset;
define
  Double(x) == 2 * x
  Full == \A i \in 1..N :
             /\ table[i].left > 0
             \/ table[i].right = 0
end define;

macro Push(seq, item) begin
  seq := Append(seq, item);
end macro;

macro Swap(p, q) begin
  p := q || q := p;
end macro;

macro SetLeft(t, i, v) begin
  t[i].left := v;
  assert t[i].left = v \/ v < 0;
end macro;

begin
Start:
  while a < N do
    a := a + 1;
    if a = 1 then
      Push(queue, a);
    elsif a = 2 then
      Push(queue, Double(a + b));
      b := b % 2;
    else
      skip;
    end if;
  Inner:
    either
      await Len(queue) > 0;
      queue := Tail(queue);
    or
      when b # 2;
      print << "b is", b >>;
    or
      with i \in 1..N, j = i + 1 do
        table[i].right := j || a := a;
      end with;
    end either;
  end while;
Swapping:
  Swap(a, b);
  SetLeft(table, 1, IF a > b THEN a
                             ELSE b);
Again:
  table[1].left := 2 || table[2].right := 3 || b := (a = 1);
  if b then
    goto Start;
  else
    Later: unset := a;
  end if;
  Label_2: if a > 3 then goto Done; end if;
  with S = {x \in 1..N : x > a /\ x < 2 * a} do
    if S = {} then
      a := 0;
    else
      with x \in S do
        a := x;
        b := x = 1 \/ x = 2;
      end with;
    end if;
  end with;
Last:
  assert /\ Cardinality({a, b}) \in 1..2
         /\ \/ a = b
            \/ a # b;
  unset := [left |-> a, right |-> b, a |-> "a := b;"];
end algorithm; *)
=============================================================================
