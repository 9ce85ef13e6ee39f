---- MODULE Rest ----
(* Operators that no other specification here needs: an operator given to a recursive one, a step that must change
   something as an invariant of steps, an error that is asked for, and one that nothing comes to. *)
EXTENDS Naturals, Sequences, TLCExt
VARIABLES n, s
RECURSIVE Apply(_, _, _)
Apply(Op(_), k, v) == IF k = 0 THEN v ELSE Apply(Op, k - 1, Op(v))
Double(v) == 2 * v
Init == n = 0 /\ s = <<>>
Next == n < 4 /\ n' = n + 1 /\ s' = Append(s, Apply(Double, n, 1))
Spec == Init /\ [][Next]_<<n, s>>
Powers == \A i \in 1..Len(s) : s[i] = Apply(Double, i - 1, 1)
Empty == n > 0 \/ AssertError("Attempted to apply Head to the empty sequence.", Head(s))
Unbounded == n < 0 => \E x : x = n
Grows == [][<<n' = n + 1>>_s]_n
====
