---- MODULE Nested ----
(* Operators that use the one before twice: written out, each line below would be twice as long as the one above it. *)
EXTENDS Naturals
VARIABLES v, r

\* with an argument
A0(x) == x + 1
A1(x) == IF x > 5 THEN A0(x) + v ELSE A0(x + 1)
A2(x) == IF x > 5 THEN A1(x) + v ELSE A1(x + 1)
A3(x) == IF x > 5 THEN A2(x) + v ELSE A2(x + 1)
A4(x) == IF x > 5 THEN A3(x) + v ELSE A3(x + 1)
A5(x) == IF x > 5 THEN A4(x) + v ELSE A4(x + 1)
A6(x) == IF x > 5 THEN A5(x) + v ELSE A5(x + 1)
A7(x) == IF x > 5 THEN A6(x) + v ELSE A6(x + 1)
A8(x) == IF x > 5 THEN A7(x) + v ELSE A7(x + 1)
A9(x) == IF x > 5 THEN A8(x) + v ELSE A8(x + 1)
A10(x) == IF x > 5 THEN A9(x) + v ELSE A9(x + 1)
A11(x) == IF x > 5 THEN A10(x) + v ELSE A10(x + 1)
A12(x) == IF x > 5 THEN A11(x) + v ELSE A11(x + 1)
A13(x) == IF x > 5 THEN A12(x) + v ELSE A12(x + 1)
A14(x) == IF x > 5 THEN A13(x) + v ELSE A13(x + 1)
A15(x) == IF x > 5 THEN A14(x) + v ELSE A14(x + 1)
A16(x) == IF x > 5 THEN A15(x) + v ELSE A15(x + 1)
A17(x) == IF x > 5 THEN A16(x) + v ELSE A16(x + 1)
A18(x) == IF x > 5 THEN A17(x) + v ELSE A17(x + 1)
A19(x) == IF x > 5 THEN A18(x) + v ELSE A18(x + 1)
A20(x) == IF x > 5 THEN A19(x) + v ELSE A19(x + 1)
A21(x) == IF x > 5 THEN A20(x) + v ELSE A20(x + 1)
A22(x) == IF x > 5 THEN A21(x) + v ELSE A21(x + 1)
A23(x) == IF x > 5 THEN A22(x) + v ELSE A22(x + 1)
A24(x) == IF x > 5 THEN A23(x) + v ELSE A23(x + 1)
A25(x) == IF x > 5 THEN A24(x) + v ELSE A24(x + 1)
A26(x) == IF x > 5 THEN A25(x) + v ELSE A25(x + 1)

\* without
B0 == v + 1
B1 == IF v > 5 THEN B0 + v ELSE B0
B2 == IF v > 5 THEN B1 + v ELSE B1
B3 == IF v > 5 THEN B2 + v ELSE B2
B4 == IF v > 5 THEN B3 + v ELSE B3
B5 == IF v > 5 THEN B4 + v ELSE B4
B6 == IF v > 5 THEN B5 + v ELSE B5
B7 == IF v > 5 THEN B6 + v ELSE B6
B8 == IF v > 5 THEN B7 + v ELSE B7
B9 == IF v > 5 THEN B8 + v ELSE B8
B10 == IF v > 5 THEN B9 + v ELSE B9
B11 == IF v > 5 THEN B10 + v ELSE B10
B12 == IF v > 5 THEN B11 + v ELSE B11
B13 == IF v > 5 THEN B12 + v ELSE B12
B14 == IF v > 5 THEN B13 + v ELSE B13
B15 == IF v > 5 THEN B14 + v ELSE B14
B16 == IF v > 5 THEN B15 + v ELSE B15
B17 == IF v > 5 THEN B16 + v ELSE B16
B18 == IF v > 5 THEN B17 + v ELSE B17
B19 == IF v > 5 THEN B18 + v ELSE B18
B20 == IF v > 5 THEN B19 + v ELSE B19
B21 == IF v > 5 THEN B20 + v ELSE B20
B22 == IF v > 5 THEN B21 + v ELSE B21
B23 == IF v > 5 THEN B22 + v ELSE B22
B24 == IF v > 5 THEN B23 + v ELSE B23
B25 == IF v > 5 THEN B24 + v ELSE B24
B26 == IF v > 5 THEN B25 + v ELSE B25

\* with primes
C0(x) == x + v'
C1(x) == IF x > 5 THEN C0(x) ELSE C0(x + v')
C2(x) == IF x > 5 THEN C1(x) ELSE C1(x + v')
C3(x) == IF x > 5 THEN C2(x) ELSE C2(x + v')
C4(x) == IF x > 5 THEN C3(x) ELSE C3(x + v')
C5(x) == IF x > 5 THEN C4(x) ELSE C4(x + v')
C6(x) == IF x > 5 THEN C5(x) ELSE C5(x + v')
C7(x) == IF x > 5 THEN C6(x) ELSE C6(x + v')
C8(x) == IF x > 5 THEN C7(x) ELSE C7(x + v')
C9(x) == IF x > 5 THEN C8(x) ELSE C8(x + v')
C10(x) == IF x > 5 THEN C9(x) ELSE C9(x + v')
C11(x) == IF x > 5 THEN C10(x) ELSE C10(x + v')
C12(x) == IF x > 5 THEN C11(x) ELSE C11(x + v')
C13(x) == IF x > 5 THEN C12(x) ELSE C12(x + v')
C14(x) == IF x > 5 THEN C13(x) ELSE C13(x + v')
C15(x) == IF x > 5 THEN C14(x) ELSE C14(x + v')
C16(x) == IF x > 5 THEN C15(x) ELSE C15(x + v')
C17(x) == IF x > 5 THEN C16(x) ELSE C16(x + v')
C18(x) == IF x > 5 THEN C17(x) ELSE C17(x + v')
C19(x) == IF x > 5 THEN C18(x) ELSE C18(x + v')
C20(x) == IF x > 5 THEN C19(x) ELSE C19(x + v')
C21(x) == IF x > 5 THEN C20(x) ELSE C20(x + v')
C22(x) == IF x > 5 THEN C21(x) ELSE C21(x + v')
C23(x) == IF x > 5 THEN C22(x) ELSE C22(x + v')
C24(x) == IF x > 5 THEN C23(x) ELSE C23(x + v')
C25(x) == IF x > 5 THEN C24(x) ELSE C24(x + v')
C26(x) == IF x > 5 THEN C25(x) ELSE C25(x + v')

\* with LET
D0(f, x) == [f EXCEPT !.a = x]
D1(f, x) == LET g == D0(f, x) IN IF g.a > 3 THEN D0(g, x + 1) ELSE g
D2(f, x) == LET g == D1(f, x) IN IF g.a > 3 THEN D1(g, x + 1) ELSE g
D3(f, x) == LET g == D2(f, x) IN IF g.a > 3 THEN D2(g, x + 1) ELSE g
D4(f, x) == LET g == D3(f, x) IN IF g.a > 3 THEN D3(g, x + 1) ELSE g
D5(f, x) == LET g == D4(f, x) IN IF g.a > 3 THEN D4(g, x + 1) ELSE g
D6(f, x) == LET g == D5(f, x) IN IF g.a > 3 THEN D5(g, x + 1) ELSE g
D7(f, x) == LET g == D6(f, x) IN IF g.a > 3 THEN D6(g, x + 1) ELSE g
D8(f, x) == LET g == D7(f, x) IN IF g.a > 3 THEN D7(g, x + 1) ELSE g
D9(f, x) == LET g == D8(f, x) IN IF g.a > 3 THEN D8(g, x + 1) ELSE g
D10(f, x) == LET g == D9(f, x) IN IF g.a > 3 THEN D9(g, x + 1) ELSE g
D11(f, x) == LET g == D10(f, x) IN IF g.a > 3 THEN D10(g, x + 1) ELSE g
D12(f, x) == LET g == D11(f, x) IN IF g.a > 3 THEN D11(g, x + 1) ELSE g
D13(f, x) == LET g == D12(f, x) IN IF g.a > 3 THEN D12(g, x + 1) ELSE g
D14(f, x) == LET g == D13(f, x) IN IF g.a > 3 THEN D13(g, x + 1) ELSE g
D15(f, x) == LET g == D14(f, x) IN IF g.a > 3 THEN D14(g, x + 1) ELSE g
D16(f, x) == LET g == D15(f, x) IN IF g.a > 3 THEN D15(g, x + 1) ELSE g
D17(f, x) == LET g == D16(f, x) IN IF g.a > 3 THEN D16(g, x + 1) ELSE g
D18(f, x) == LET g == D17(f, x) IN IF g.a > 3 THEN D17(g, x + 1) ELSE g
D19(f, x) == LET g == D18(f, x) IN IF g.a > 3 THEN D18(g, x + 1) ELSE g
D20(f, x) == LET g == D19(f, x) IN IF g.a > 3 THEN D19(g, x + 1) ELSE g
D21(f, x) == LET g == D20(f, x) IN IF g.a > 3 THEN D20(g, x + 1) ELSE g
D22(f, x) == LET g == D21(f, x) IN IF g.a > 3 THEN D21(g, x + 1) ELSE g
D23(f, x) == LET g == D22(f, x) IN IF g.a > 3 THEN D22(g, x + 1) ELSE g
D24(f, x) == LET g == D23(f, x) IN IF g.a > 3 THEN D23(g, x + 1) ELSE g
D25(f, x) == LET g == D24(f, x) IN IF g.a > 3 THEN D24(g, x + 1) ELSE g
D26(f, x) == LET g == D25(f, x) IN IF g.a > 3 THEN D25(g, x + 1) ELSE g

Init == v = 0 /\ r = D26([a |-> 0, b |-> 1], 2)
Next == v < 3 /\ v' = v + 1 /\ C26(v) >= 0 /\ r' = D26(r, v)
Inv == A26(v) >= v /\ B26 > v /\ r.a <= 2
====
