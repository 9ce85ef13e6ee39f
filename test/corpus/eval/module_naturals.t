# Operators of Naturals. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Naturals

0
0

1 + 2
3

5 - 3
2

3 - 5
-2

6 * 7
42

0 * 5
0

7 \div 2
3

6 \div 3
2

0 \div 5
0

7 % 2
1

6 % 3
0

0 % 5
0

2 ^ 10
1024

3 ^ 0
1

0 ^ 3
0

1 ^ 1000
1

7 ^ 1
7

0 ^ 0
%%FAIL 0^0 is undefined.

7 \div 0
%%FAIL The second argument of \div is 0.

7 % 0
%%FAIL The second argument of % should be a positive number, but instead it is: 0

0 \div 0
%%FAIL The second argument of \div is 0.

1 < 2
TRUE

2 < 1
FALSE

2 < 2
FALSE

1 <= 1
TRUE

2 =< 1
FALSE

1 \leq 2
TRUE

3 > 2
TRUE

2 > 3
FALSE

2 >= 2
TRUE

1 \geq 2
FALSE

1 .. 3
1..3

3 .. 1
{}

2 .. 2
2..2

0 .. 0
0..0

(1 .. 3) \cup {7}
{1, 2, 3, 7}

{x \in 1 .. 10 : x % 2 = 0}
{2, 4, 6, 8, 10}

{x * x : x \in 0 .. 4}
{0, 1, 4, 9, 16}

5 \in 1 .. 5
TRUE

6 \in 1 .. 5
FALSE

0 \in Nat
TRUE

7 \in Nat
TRUE

3 - 5 \in Nat
FALSE

Nat
Nat

{1, 2} \subseteq Nat
TRUE

Nat = Nat
TRUE

1 + 2 * 3
7

(1 + 2) * 3
9

10 - 3 - 2
5

2 * 3 ^ 2
18

1 + 2 = 3
TRUE

1 # 2
TRUE

CHOOSE n \in 0 .. 10 : n * n = 49
7

\A n \in 1 .. 5 : n * n >= n
TRUE

\E n \in 1 .. 5 : n + n = n * n
TRUE

[n \in 0 .. 3 |-> 2 ^ n]
(0 :> 1 @@ 1 :> 2 @@ 2 :> 4 @@ 3 :> 8)

"aa" + 1
%%FAIL

1 + "aa"
%%FAIL

TRUE - 1
%%FAIL

{} * 2
%%FAIL

<<1>> \div 2
%%FAIL

2 % "aa"
%%FAIL

2 ^ TRUE
%%FAIL

"aa" < 1
%%FAIL The first argument of < should be an integer, but instead it is: "aa"

1 < "aa"
%%FAIL The second argument of < should be an integer, but instead it is: "aa"

{1} <= 2
%%FAIL The first argument of <= should be an integer, but instead it is: {1}

2 <= <<>>
%%FAIL The second argument of <= should be an integer, but instead it is: <<>>

"aa" > 1
%%FAIL The first argument of > should be an integer, but instead it is: "aa"

1 > TRUE
%%FAIL The second argument of > should be an integer, but instead it is: TRUE

1 .. "aa"
%%FAIL

"aa" .. 3
%%FAIL

"aa" \in Nat
%%FAIL Attempted to check if the value: "aa" is an element of Nat.

TRUE \in Nat
%%FAIL Attempted to check if the value: TRUE is an element of Nat.

<<1>> \in Nat
%%FAIL Attempted to check if the value: <<1>> is an element of Nat.

2 \in {n \in Nat : n < 3}
TRUE

5 \in {n \in Nat : n < 3}
FALSE

1 \in Nat \cup {0}
TRUE

0 \in Nat \ {0}
FALSE

4 \in Nat \ {0}
TRUE

LET f[n \in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[5]
120

LET sq(n) == n * n IN sq(4)
16

SUBSET (1 .. 3)
{{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}

1 .. 2 = {1, 2}
TRUE

{2, 1} = 1 .. 2
TRUE

1 .. 0 = {}
TRUE

{3, 1, 2, 3}
{1, 2, 3}

{1 .. 2, {2}}
{{2}, 1..2}

100000 * 20000
2000000000

2147483647
2147483647

\b1011
11

\o17
15

\hFF
255
