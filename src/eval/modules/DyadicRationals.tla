--------------------------- MODULE DyadicRationals --------------------------
(* Fractions whose denominator is a power of two, as records [num, den]. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(Divides, p, q, d, Divisors, GCD, n, m, Rational, num, den, Reduce, gcd, r, i, lcn, qq, pp) ==
  <<Divides, p, q, d, Divisors, GCD, n, m, Rational, num, den, Reduce, gcd, r, i, lcn, qq, pp>>

LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSetsExt
LOCAL INSTANCE TLC

LOCAL Fraction_(n, d) == [num |-> n, den |-> d]

(* Euclid's algorithm. *)
RECURSIVE CommonDivisor_(_, _)
LOCAL CommonDivisor_(a_, b_) == IF b_ = 0 THEN a_ ELSE CommonDivisor_(b_, a_ % b_)

LOCAL Lowest_(p) ==
  LET size_ == IF p.num < 0 THEN -p.num ELSE p.num
      g_    == CommonDivisor_(size_, p.den)
  IN  IF g_ = 1 THEN p ELSE Fraction_(p.num \div g_, p.den \div g_)

IsDyadicRational(r) == \E i \in 0 .. r.den : r.den = 2 ^ i

Zero == Fraction_(0, 1)
One  == Fraction_(1, 1)

(* The larger of two powers of two is a multiple of the smaller. *)
Add(p, q) ==
  IF p = Zero THEN q
  ELSE LET d == IF p.den > q.den THEN p.den ELSE q.den
       IN  Lowest_(Fraction_(p.num * (d \div p.den) + q.num * (d \div q.den), d))

Half(p) == Lowest_(Fraction_(p.num, 2 * p.den))

PrettyPrint(p) ==
  CASE p = Zero -> "0"
    [] p = One  -> "1"
    [] OTHER    -> ToString(p.num) \o "/" \o ToString(p.den)
=============================================================================
