------------------------------- MODULE Bitwise ------------------------------
(* Bits of natural numbers. *)

LOCAL INSTANCE Integers

LOCAL Bit(x, i) == (x \div 2 ^ i) % 2

(* The number whose bit i is op of bit i of x and of y. *)
LOCAL Combine(x, y, op(_, _)) ==
  LET from[i \in Nat] ==
        IF 2 ^ i > x /\ 2 ^ i > y THEN 0
        ELSE op(Bit(x, i), Bit(y, i)) * 2 ^ i + from[i + 1]
  IN  from[0]

x & y  == Combine(x, y, LAMBDA a, b : a * b)
x | y  == Combine(x, y, LAMBDA a, b : (a + b) - a * b)
x ^^ y == Combine(x, y, LAMBDA a, b : (a + b) % 2)

(* The bits below the highest one of a, turned over. *)
Not(a) == Combine(a, 0, LAMBDA p, q : 1 - p)

(* n without its lowest pos bits. *)
shiftR(n, pos) == n \div 2 ^ pos
=============================================================================
