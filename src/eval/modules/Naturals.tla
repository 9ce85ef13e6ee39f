------------------------------ MODULE Naturals ------------------------------
(* The natural numbers. Arithmetic is built into the evaluator, where numbers are unbounded; what stands here says
   what each operator means. Sum, product and order of numbers are primitive: their right sides only name the operands. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(a, b, n) ==
  <<a, b, n>>

Nat == CHOOSE N_ : N_ = {0} \cup {<<"+", n, 1>> : n \in N_}

a + b    == <<"+", a, b>>
a * b    == <<"*", a, b>>
a \leq b == \E d_ \in Nat : a + d_ = b
a \geq b == b \leq a
a < b    == a \leq b /\ a # b
a > b    == b < a
a - b    == CHOOSE d_ : a = d_ + b

(* a^0 = 1 and a^(n+1) = a * a^n; 0^0 is an error. *)
a ^ b == LET power_[n \in Nat] == IF n = 0 THEN 1 ELSE a * power_[n - 1]
         IN  power_[b]

(* All integers from a up to b, none when a > b. *)
a .. b == {a + d_ : d_ \in {e_ \in Nat : a + e_ \leq b}}

(* Division that rounds down, and its remainder, for positive b: a = b * (a \div b) + (a % b) and a % b \in 0 .. (b-1). *)
a % b    == CHOOSE r_ \in 0 .. (b - 1) : \E q_ : a = b * q_ + r_
a \div b == CHOOSE q_ : a = b * q_ + (a % b)
=============================================================================
