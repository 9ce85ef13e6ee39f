-------------------------- MODULE Selectors --------------------------
(* The scope of the expressions in selectors.t. *)
EXTENDS Integers, Sequences, TLC

------ MODULE Inner ------
CONSTANT c
Plus(n) == n + c
Both(n, m) == <<n + c, m - c>>
Twice == 2 * c
f[i \in {1, 2}] == i + c
=======================

Ap(F(_), e) == F(e)
Ap2(F(_, _), d, e) == F(d, e)

P(a, b) == /\ a = 1
           /\ \E x \in {a, b}, y \in {2} : lab(x, y) :: x = y
           /\ IF a = b THEN TRUE ELSE CASE a = 3 -> FALSE [] OTHER -> a < b
Q(p) == LET z == 9 + p
            W(k) == k + z
            g[i \in {1, 2}] == i + z
            h[i \in {1, 2}, j \in {3}] == i + j + z
        IN  W(100) + g[1]
In(p) == LET I == INSTANCE Inner WITH c <- p
             J(q) == INSTANCE Inner WITH c <- p + q
         IN  I!Plus(1) + J(2)!Twice
Neg(k) == -k
Sub(j, k) == j - k
A1 == Ap(Neg, 20)
A2(a) == Ap(LAMBDA u : u + a, 20)
A3 == Ap2(Sub, 9, 4)
A4(s) == LET m == 3
             T(k) == k + m + s
         IN Ap(T, 1)
Deep == LET a == 1 IN LET b == a + 1 IN LET d(x) == a + b + x IN d(5)
Rec == [x |-> 11, y |-> [z |-> 12]]
RecSet == [x : {1, 2}, y : {3}]
Fun == [i \in {1, 2}, j \in {3} |-> i * j]
Choice == CHOOSE i \in {4, 5} : i > 4
Map == {i + j : i \in {1, 2}, j \in {30}}
Filter == {i \in {1, 2, 3} : i > 1}
Tup == <<7, <<8, 9>>, {10}>>
Exc == [Rec EXCEPT !.x = 1]
App2 == Fun[1, 3]
Dot == Rec.y.z
Conj == lab1 :: 1 + 2 * 3
One == {lab2(x) :: x + 5 : x \in {1}}
Two == LET a == 10 IN {lab3(x) :: {x + a} : x \in {1}}
K == INSTANCE Inner WITH c <- 50
KK(r) == INSTANCE Inner WITH c <- r
------ MODULE Lower ------
CONSTANTS c, d
Sum(F(_)) == F(c) + F(d)
Pair(n) == <<c, d, n>>
==========================
------ MODULE Upper ------
CONSTANT k
B(q, r) == INSTANCE Lower WITH c <- q + k, d <- r * k
==========================
A(p) == INSTANCE Upper WITH k <- p
Within == LET AA(p) == INSTANCE Upper WITH k <- p IN AA(1)!B(1, 1)!Pair(1)
Beside == \E a \in {1} : LET f[x \in {1, 2}] == x + a IN lab(a) :: f[a] = 2
=======================================================================
