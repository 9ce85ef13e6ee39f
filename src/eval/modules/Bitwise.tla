------------------------------- MODULE Bitwise ------------------------------
(* Bits of natural numbers. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(And, x, y, n, m, exp, Or, xdm, ydm, Xor, NotR, a, pos, odd, z) ==
  <<And, x, y, n, m, exp, Or, xdm, ydm, Xor, NotR, a, pos, odd, z>>

LOCAL INSTANCE Integers

LOCAL Bit_(x, i_) == (x \div 2 ^ i_) % 2

(* The number whose bit i is op of bit i of x and of y. *)
LOCAL Combine_(x, y, op_(_, _)) ==
  LET from_[i_ \in Nat] ==
        IF 2 ^ i_ > x /\ 2 ^ i_ > y THEN 0
        ELSE op_(Bit_(x, i_), Bit_(y, i_)) * 2 ^ i_ + from_[i_ + 1]
  IN  from_[0]

x & y  == Combine_(x, y, LAMBDA a, b_ : a * b_)
x | y  == Combine_(x, y, LAMBDA a, b_ : (a + b_) - a * b_)
x ^^ y == Combine_(x, y, LAMBDA a, b_ : (a + b_) % 2)

(* The bits below the highest one of a, turned over. *)
Not(a) == Combine_(a, 0, LAMBDA p_, q_ : 1 - p_)

(* n without its lowest pos bits. *)
shiftR(n, pos) == n \div 2 ^ pos
=============================================================================
