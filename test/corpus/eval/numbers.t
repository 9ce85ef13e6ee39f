# Integers
# The values and messages are those of TLC's REPL (tlaplus/tlaplus at cc6b616).

# Arithmetic

1 + 2
3

1 - 5
-4

-3
-3

- 3 + 5
2

3 * -4
%%FAIL

7 \div 2
3

-7 \div 2
-3

7 \div -2
%%FAIL

7 % 3
1

-7 % 3
2

7 % -3
%%FAIL The second argument of % should be a positive number, but instead it is:

7 % 0
%%FAIL The second argument of % should be a positive number, but instead it is:

7 \div 0
%%FAIL The second argument of \div is 0.

2 ^ 10
1024

2 ^ 0
1

0 ^ 0
%%FAIL 0^0 is undefined.

2 ^ -1
%%FAIL

(-2) ^ 3
-8

1 + 2 * 3
7

(1 + 2) * 3
9

2 * 3 % 4
2

10 - 3 - 2
5

1 < 2
TRUE

2 <= 2
TRUE

2 =< 1
FALSE

3 >= 4
FALSE

3 \geq 3
TRUE

3 \leq 2
FALSE

1 > 2
FALSE

"a" < "b"
%%FAIL The first argument of < should be an integer, but instead it is:

1 + "a"
%%FAIL

TRUE + 1
%%FAIL

"a" - 1
%%FAIL

1 * {}
%%FAIL

-"a"
%%FAIL

1 = 1
TRUE

1 = "a"
%%FAIL Attempted to check equality of integer 1 with non-integer: "a"

1 # 2
TRUE

1 /= 1
FALSE

# Literals

\b101
5

\B1111
15

\o17
15

\O7
7

\hff
255

\HFF
255

007
7

2147483647
2147483647

# Ranges

1..3
1..3

3..1
{}

1..1
1..1

-2..2
-2..2

1.."a"
%%FAIL

2 \in 1..3
TRUE

5 \in 1..3
FALSE

"a" \in 1..3
%%FAIL Attempted to check if the value: "a" is in the integer interval 1..3

Cardinality(1..1000)
1000

Cardinality(5..1)
0

1..3 = {1, 2, 3}
TRUE

1..0 = {}
TRUE

{} = 1..0
TRUE

1..3 \cup 2..5
{1, 2, 3, 4, 5}

1..5 \cap 3..9
{3, 4, 5}

1..5 \ {2}
{1, 3, 4, 5}

1..2 \subseteq 1..5
TRUE

# Nat and Int

3 \in Nat
TRUE

-1 \in Nat
FALSE

-1 \in Int
TRUE

"a" \in Nat
%%FAIL Attempted to check if the value:

"a" \in Int
%%FAIL Attempted to check if the value:

{} \in Int
%%FAIL Attempted to check if the value:

1..3 \subseteq Nat
TRUE

Nat \subseteq Int
%%FAIL Attempted to evaluate an expression of form S \subseteq T, but S was not enumerable.

Nat \subseteq Nat
%%FAIL Attempted to evaluate an expression of form S \subseteq T, but S was not enumerable.

Cardinality(Nat)
%%FAIL Attempted to compute cardinality of the value

{x * 2 : x \in Nat}
%%FAIL TLC encountered the non-enumerable quantifier bound Nat

Nat = Nat
TRUE

Nat = Int
FALSE

Nat \cup {-1}
{-1} \cup Nat

3 \in Nat \cup {-1}
TRUE

Nat \ {1}
Nat \ {1}
