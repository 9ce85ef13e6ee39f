--------------------------- MODULE DyadicRationals --------------------------
(* Fractions whose denominator is a power of two, as records [num, den]. *)

LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSetsExt
LOCAL INSTANCE TLC

LOCAL Fraction(n, d) == [num |-> n, den |-> d]

(* Euclid's algorithm. *)
RECURSIVE CommonDivisor(_, _)
LOCAL CommonDivisor(a, b) == IF b = 0 THEN a ELSE CommonDivisor(b, a % b)

LOCAL Lowest(p) ==
  LET size == IF p.num < 0 THEN -p.num ELSE p.num
      g    == CommonDivisor(size, p.den)
  IN  IF g = 1 THEN p ELSE Fraction(p.num \div g, p.den \div g)

IsDyadicRational(r) == \E i \in 0 .. r.den : r.den = 2 ^ i

Zero == Fraction(0, 1)
One  == Fraction(1, 1)

(* The larger of two powers of two is a multiple of the smaller. *)
Add(p, q) ==
  IF p = Zero THEN q
  ELSE LET d == IF p.den > q.den THEN p.den ELSE q.den
       IN  Lowest(Fraction(p.num * (d \div p.den) + q.num * (d \div q.den), d))

Half(p) == Lowest(Fraction(p.num, 2 * p.den))

PrettyPrint(p) ==
  CASE p = Zero -> "0"
    [] p = One  -> "1"
    [] OTHER    -> ToString(p.num) \o "/" \o ToString(p.den)
=============================================================================
