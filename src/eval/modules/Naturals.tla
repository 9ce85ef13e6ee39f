------------------------------ MODULE Naturals ------------------------------
(* The natural numbers. Arithmetic is built into the evaluator, where numbers are unbounded; what stands here says
   what each operator means. Sum, product and order of numbers are primitive: their right sides only name the operands. *)

Nat == CHOOSE N : N = {0} \cup {<<"+", n, 1>> : n \in N}

a + b    == <<"+", a, b>>
a * b    == <<"*", a, b>>
a \leq b == \E d \in Nat : a + d = b
a \geq b == b \leq a
a < b    == a \leq b /\ a # b
a > b    == b < a
a - b    == CHOOSE d : a = d + b

(* a^0 = 1 and a^(n+1) = a * a^n; 0^0 is an error. *)
a ^ b == LET power[n \in Nat] == IF n = 0 THEN 1 ELSE a * power[n - 1]
         IN  power[b]

(* All integers from a up to b, none when a > b. *)
a .. b == {a + d : d \in {e \in Nat : a + e \leq b}}

(* Division that rounds down, and its remainder, for positive b: a = b * (a \div b) + (a % b) and a % b \in 0 .. (b-1). *)
a % b    == CHOOSE r \in 0 .. (b - 1) : \E q : a = b * q + r
a \div b == CHOOSE q : a = b * q + (a % b)
=============================================================================
