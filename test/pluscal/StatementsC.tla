----------------------------- MODULE StatementsC -----------------------------
EXTENDS Integers, Sequences, TLC
CONSTANT N

(* The same in the C syntax, with comments inside.

--algorithm StatementsC {
variables a = 0, b \in 1..3; (* two of them *)
          queue = << >>;     \* one more
          table = [i \in 1..N |-> [left |-> i, right |-> 0]];
          flag = (a = 1), other = a = 1, third = <<a, b = 2>>;
define { Double(x) == 2 * x
         Triple(x) == LET y == x
                      IN  3 * y }
macro Push(seq, item) { seq := Append(seq, item) }
macro Twice(v) { Push(queue, v); if (v > 0) { a := v } else { skip } }
{
  L1: while (a < N) {
        a := a + 1;
        if (a = 1) Push(queue, a);
        else if (a = 2) { b := b + 1; Push(queue, Double(a)) };
  L2:   either { await Len(queue) > 0; queue := Tail(queue) }
        or     { print "none"; }
        or     with (i \in 1..N, j \in {k \in 1..N : k # i}) {
                 table[i].right := j
               }
      };
  L3: Twice(b + 1);
  L4: { a := 0; b := 1 };
  L5: if (a > b)
        { M1: a := 1;
          M2: b := 2 }
      else if (a = b)
        { M3: a := 3 };
  L6: with (x = a) { a := b; b := x };
      assert Triple(a) > 0 ;
      goto L1
}
}
*)
=============================================================================
