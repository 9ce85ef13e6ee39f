# Operators of Integers. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers

-1
-1

- 5
-5

-(-5)
5

3 - 5
-2

-3 + 5
2

-7 \div 2
-3

7 \div (-2)
-4

-7 \div (-2)
4

-6 \div 3
-2

-7 % 2
1

-6 % 3
0

7 % (-2)
%%FAIL The second argument of % should be a positive number, but instead it is: -2

-7 % (-2)
%%FAIL The second argument of % should be a positive number, but instead it is: -2

(-2) ^ 3
-8

(-2) ^ 2
4

-2 ^ 2
-4

2 ^ (-1)
%%FAIL The second argument of ^ should be a natural number, but instead it is: -1

0 ^ (-1)
%%FAIL The second argument of ^ should be a natural number, but instead it is: -1

(-1) ^ 0
1

-5 < 3
TRUE

-5 > -6
TRUE

-3 <= -3
TRUE

-3 .. 3
-3..3

-3 .. -1
-3..-1

3 .. -3
{}

-4 \in Int
TRUE

-4 \in Nat
FALSE

Int
Int

"aa" \in Int
%%FAIL Attempted to check if the value: "aa" is an element of Int.

Nat \subseteq Int
%%FAIL Attempted to evaluate an expression of form S \subseteq T, but S was not enumerable.

{-1, 0, 1} \subseteq Int
TRUE

{x \in -3 .. 3 : x * x = 4}
{-2, 2}

CHOOSE x \in -3 .. 3 : x * x = 9
-3

- "aa"
%%FAIL

-TRUE
%%FAIL

1 >= "aa"
%%FAIL The second argument of >= should be an integer, but instead it is: "aa"

"aa" >= 1
%%FAIL The first argument of >= should be an integer, but instead it is: "aa"

-3 \in Int \ Nat
TRUE

-0
0

- - 3
3

5 - -3
8

{-1, -3, 2, 0}
{-3, -1, 0, 2}

[i \in -1 .. 1 |-> i * i]
(-1 :> 1 @@ 0 :> 0 @@ 1 :> 1)

[i \in -1 .. 1 |-> i * i][-1]
1

[i \in -1 .. 1 |-> i * i][2]
%%FAIL In applying the function (-1 :> 1 @@ 0 :> 0 @@ 1 :> 1), the first argument is: 2 which is not in its domain.

DOMAIN [i \in -1 .. 1 |-> i * i]
-1..1

LET Abs(i) == IF i < 0 THEN -i ELSE i IN {Abs(j) : j \in -3 .. 2}
{0, 1, 2, 3}

(-8) \div 3
-3

(-8) % 3
1
