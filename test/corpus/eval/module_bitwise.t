# Operators of Bitwise. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Bitwise

0 & 0
0

5 & 3
1

12 & 10
8

255 & 15
15

5 | 3
7

0 | 7
7

8 | 1
9

5 ^^ 3
6

7 ^^ 7
0

0 ^^ 9
9

Not(0)
0

Not(1)
0

Not(5)
2

Not(8)
7

Not(255)
0

shiftR(8, 0)
8

shiftR(8, 1)
4

shiftR(8, 3)
1

shiftR(8, 4)
0

shiftR(7, 1)
3

shiftR(0, 5)
0

{x & 3 : x \in 0 .. 8}
{0, 1, 2, 3}

\A x \in 0 .. 15 : \A y \in 0 .. 15 : (x & y) + (x | y) = x + y
TRUE

\A x \in 0 .. 15 : \A y \in 0 .. 15 : (x ^^ y) = (x | y) - (x & y)
TRUE

# Beyond the integers of TLC: what two's complement without end gives.
(2^70 + 5) & (2^70 + 3)
1180591620717411303425

(2^70) | (2^40 + 1)
1180591621816922931201

(2^70 + 7) ^^ (2^70 + 2^33)
8589934599

(-(2^70)) & (2^71 + 2^70)
3541774862152233910272

(-1) & (2^65 + 9)
36893488147419103241

(-1) | (2^65)
-1

(-(2^65)) ^^ (-1)
36893488147419103231

(2^70) & 0
0

shiftR(-5, 100)
-1

shiftR(5, 100)
0

shiftR(2^70, 64)
64

shiftR(-(2^70), 69)
-2

shiftR(1, -1)
%%FAIL

Not(-1)
0
