# Booleans, quantifiers, CHOOSE, LET
# The values and messages are those of TLC's REPL (tlaplus/tlaplus at cc6b616).

# Booleans

TRUE /\ FALSE
FALSE

TRUE \/ FALSE
TRUE

~TRUE
FALSE

\lnot FALSE
TRUE

TRUE => FALSE
FALSE

FALSE => 1
TRUE

TRUE <=> TRUE
TRUE

TRUE \equiv FALSE
FALSE

FALSE /\ (1 \div 0 = 1)
FALSE

TRUE \/ (1 \div 0 = 1)
TRUE

1 /\ TRUE
%%FAIL Attempted to evaluate an expression of form P /\ Q when P was an integer.

TRUE /\ 2
%%FAIL Attempted to evaluate an expression of form P /\ Q when Q was an integer.

TRUE => 3
%%FAIL Attempted to evaluate an expression of form P => Q when Q was an integer.

IF TRUE THEN 1 ELSE 2
1

IF 1 = 2 THEN "a" ELSE "b"
"b"

IF 1 THEN 2 ELSE 3
%%FAIL A non-boolean expression (an integer) was used as the condition of an IF.

CASE 1 = 2 -> "x" [] 1 = 1 -> "y"
"y"

CASE FALSE -> 1 [] OTHER -> 2
2

CASE FALSE -> 1
%%FAIL Attempted to evaluate a CASE with no conditions true.

CASE TRUE -> 1 [] TRUE -> 2
1

BOOLEAN
{FALSE, TRUE}

TRUE \in BOOLEAN
TRUE

1 \in BOOLEAN
%%FAIL Attempted to compare integer 1 with non-integer: TRUE

TRUE = FALSE
FALSE

TRUE = 1
%%FAIL Attempted to compare equality of boolean TRUE with non-boolean: 1

TRUE # FALSE
TRUE

/\ TRUE /\ FALSE
FALSE

\/ FALSE \/ TRUE
TRUE

~ ~TRUE
TRUE

TRUE ~> FALSE
%%FAIL

# Quantifiers

\A x \in {} : FALSE
TRUE

\E x \in {} : TRUE
FALSE

\A x \in 1..3 : x > 0
TRUE

\E x \in 1..3 : x > 2
TRUE

\A x, y \in {1, 2} : x + y < 5
TRUE

\A x \in {1}, y \in {2, 3} : x < y
TRUE

\E x \in {1, 2}, y \in {2, 3} : x = y
TRUE

\A <<a, b>> \in {<<1, 2>>, <<3, 4>>} : a < b
TRUE

\E <<a, b>> \in {1, 2} \X {1, 2} : a + b = 4
TRUE

\A x \in Nat : x > 0
%%FAIL TLC encountered the non-enumerable quantifier bound Nat

\E x \in Nat : x = 3
%%FAIL TLC encountered the non-enumerable quantifier bound Nat

\A x \in 1..3 : 7
%%FAIL

\A x \in 5 : TRUE
%%FAIL TLC encountered a non-enumerable quantifier bound 5.

\A x \in {1, 2} : \E y \in {1, 2} : x # y
TRUE

# CHOOSE

CHOOSE x \in 1..10 : x > 4
5

CHOOSE x \in {3, 1, 2} : TRUE
1

CHOOSE x \in {"b", "a"} : TRUE
"a"

CHOOSE x \in {} : TRUE
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

CHOOSE x \in 1..3 : x > 5
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

CHOOSE s \in SUBSET {1, 2, 3} : s # {}
{1}

CHOOSE <<a, b>> \in {1, 2} \X {3, 4} : a + b = 6
<<2, 4>>

CHOOSE f \in [{1, 2} -> {5, 6}] : f[1] # f[2]
<<5, 6>>

CHOOSE x : x = 1
%%FAIL TLC attempted to evaluate an unbounded CHOOSE. Make sure that the expression is of form CHOOSE x \in S: P(x).

CHOOSE r \in [a : {1, 2}, b : {3}] : TRUE
[a |-> 1, b |-> 3]

# LET and LAMBDA

LET x == 1 y == x + 1 IN x + y
3

LET F(a, b) == a * b IN F(3, 4)
12

LET F(G(_), a) == G(G(a)) IN F(LAMBDA z : z + 1, 5)
7

LET a ++ b == <<a, b>> IN 1 ++ 2
<<1, 2>>

LET f[n \in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[12]
479001600

LET f[n \in 0..5] == IF n < 2 THEN n ELSE f[n - 1] + f[n - 2] IN f
(0 :> 0 @@ 1 :> 1 @@ 2 :> 1 @@ 3 :> 2 @@ 4 :> 3 @@ 5 :> 5)

LET RECURSIVE Sum(_) Sum(S) == IF S = {} THEN 0 ELSE LET e == CHOOSE e \in S : TRUE IN e + Sum(S \ {e}) IN Sum(1..10)
55

LET S == {1, 2} T == S \cup {3} IN Cardinality(T)
3

LET F(x) == 1 IN F(1 \div 0)
1

LET x == 1 \div 0 IN 5
5

LET -. a == 5 IN 3
%%FAIL

# Names

x
%%FAIL

Foo(1)
%%FAIL

1 +
%%FAIL

(1
%%FAIL

{1, 2
%%FAIL

BOOLAEN
%%FAIL did you mean 'BOOLEAN'?

# What a value is called in messages.
IF "x" THEN 1 ELSE 2
%%FAIL A non-boolean expression (a string) was used as the condition of an IF.

IF {1} THEN 1 ELSE 2
%%FAIL A non-boolean expression (a set of the form {e1, ... ,eN}) was used as the condition of an IF.

IF 1..2 THEN 1 ELSE 2
%%FAIL A non-boolean expression (a set of the form i..j) was used as the condition of an IF.

IF <<1>> THEN 1 ELSE 2
%%FAIL A non-boolean expression (a tuple) was used as the condition of an IF.

IF [a |-> 1] THEN 1 ELSE 2
%%FAIL A non-boolean expression (a record) was used as the condition of an IF.

IF SUBSET {1} THEN 1 ELSE 2
%%FAIL A non-boolean expression (a set of the form SUBSET S) was used as the condition of an IF.

IF [{1} -> {2}] THEN 1 ELSE 2
%%FAIL A non-boolean expression (a set of the form [S -> T]) was used as the condition of an IF.

IF [a : {1}] THEN 1 ELSE 2
%%FAIL A non-boolean expression (a set of the form [d1 : S1, ... , dN : SN]) was used as the condition of an IF.

IF {1} \X {2} THEN 1 ELSE 2
%%FAIL A non-boolean expression (a cartesian product) was used as the condition of an IF.

IF Nat THEN 1 ELSE 2
%%FAIL A non-boolean expression (a special set constant) was used as the condition of an IF.

IF STRING THEN 1 ELSE 2
%%FAIL A non-boolean expression (a special set constant) was used as the condition of an IF.

\E c \in {1, 2}, <<a, b>> \in {5} : c = 3 /\ a = 1
%%FAIL

\A c \in {1, 2}, <<a, b>> \in {<<1, 2>>, <<3>>} : c = 3 => a = 1
%%FAIL

1 \in {<<a, b>> \in Nat \X {1} : a = b}
%%FAIL

{<<a, b>> \in Nat \X {1} : a = b} = {1}
%%FAIL

[<<a, b>> \in Nat \X {1}, c \in Nat |-> a] = 1
%%FAIL

{a + b + c : <<a, b>> \in {<<1, 2>>}, c \in Nat} = 1
%%FAIL

[<<a, b>> \in Nat \X {1}, c \in Nat |-> a]
[<<a, b>> \in (Nat \X {1}), c \in Nat |-> <expression line 1, col 41 to line 1, col 41 of module input 1>]

{<<a, b>> \in Nat \X {1} : a = b}
{<<a, b>> \in (Nat \X {1}) : <expression line 1, col 28 to line 1, col 32 of module input 1> }
