------------------------------- MODULE Tokens -------------------------------
EXTENDS Integers, Sequences, TLC
\* PlusCal options (wf, -termination , version 1.8)
(* --fair algorithm Tokens {
  variables s = "a \"string\" with \\ and \t", n = 12, h = 1 .. 3, (* a comment (* within *) one *) r = [a |-> 1], \* the rest of a line
            big = 1000000, set = {1, 2} \cup {}, f = [i \in 1 .. 2 |-> i], x1y = 1, e = "ab", t = <<>>;
  define { Op(a, b) == a \oplus b
           F[i \in Nat] == IF i = 0 THEN 0 ELSE F[i - 1]
           a \oplus b == a + b  }
  {
   l1: n := n + 1; (* between (* statements *) *) r.a := n;
       s := "x (* no comment *) nor this";
   l2: while (n < 5) { n := n+1; if (n > 3) skip else { set := {} } };
       print <<s, n, f[1], x1y>>; \* the end
   l3: h := h \union (1..2) || f[1] := -1 || f[2] := f[1] ^ 2;
       assert /\ n \in Nat
              /\ \A i \in h : i >= 1 => i # 0
              /\ ~ (\E i \in h : i =< 0 /\ i /= 2);
   l4: with (i \in {q \in h : q > 1}; j = CHOOSE k \in h : TRUE) { n := i - j };
   l5: t := Append(t, [x |-> n, y |-> "e"]); either n := 1 or { n := 2; l6: n := 3 } or l7: skip;
  }
} *)
=============================================================================
