# Functions, records and what the module TLC adds
# The values and messages are those of TLC's REPL (tlaplus/tlaplus at cc6b616).

# Functions

[x \in {1, 2} |-> x * x]
<<1, 4>>

[x \in 1..3 |-> x * x]
<<1, 4, 9>>

[x \in {} |-> x]
<<>>

[x \in {"a", "b"} |-> 1]
[a |-> 1, b |-> 1]

[x \in {2, 3} |-> x]
(2 :> 2 @@ 3 :> 3)

[x \in {1}, y \in {2} |-> <<x, y>>]
(<<1, 2>> :> <<1, 2>>)

[<<x, y>> \in {<<1, 2>>} |-> x + y]
(<<1, 2>> :> 3)

[x \in {1, 2} |-> x][2]
2

[x \in {1, 2} |-> x][3]
%%FAIL In applying the function <<1, 2>>, the first argument is: 3 which is not in its domain.

[x \in 1..2 |-> x][3]
%%FAIL In applying the function <<1, 2>>, the first argument is: 3 which is not in its domain.

[x, y \in {1, 2} |-> x * y][2, 2]
4

[x \in Nat |-> x + 1][41]
42

[x \in Nat |-> x + 1]["a"]
%%FAIL Attempted to check if the value:

5[1]
%%FAIL A non-function (an integer) was applied as a function.

{1}[1]
%%FAIL A non-function (a set of the form {e1, ... ,eN}) was applied as a function.

DOMAIN <<5, 6>>
1..2

DOMAIN [a |-> 1, b |-> 2]
{"a", "b"}

DOMAIN 5
%%FAIL Attempted to apply the operator DOMAIN to a non-function (an integer)

[x \in {1, 2} |-> x] = <<1, 2>>
TRUE

[x \in {1, 2} |-> x] = [y \in {2, 1} |-> y]
TRUE

[x \in {"a"} |-> 1] = [a |-> 1]
TRUE

[x \in {1} |-> 1] = 1
%%FAIL Attempted to check equality of the function <<1>> with the value: 1

[x \in {1, 2} |-> [y \in {3} |-> x + y]][1][3]
4

# EXCEPT

[[x \in 1..3 |-> x] EXCEPT ![1] = 9]
<<9, 2, 3>>

[[x \in 1..3 |-> x] EXCEPT ![1] = @ + 1, ![2] = @ * 5]
<<2, 10, 3>>

[[x \in 1..3 |-> x] EXCEPT ![1] = 5, ![1] = @ + 1]
<<6, 2, 3>>

[[x \in 1..2 |-> x] EXCEPT ![7] = 9]
<<1, 2>>

[<<1, 2>> EXCEPT ![2] = "x"]
<<1, "x">>

[[a |-> 1, b |-> 2] EXCEPT !.a = 5]
[a |-> 5, b |-> 2]

[[a |-> 1, b |-> 2] EXCEPT !["b"] = 5]
[a |-> 1, b |-> 5]

[[a |-> 1] EXCEPT !.c = 5]
[a |-> 1]

[[i \in 1..2 |-> i] EXCEPT ![1] = LET L(x) == @ + x IN L(2)]
<<3, 2>>

[[i \in 1..2 |-> i] EXCEPT ![2] = LET RECURSIVE r(_) r(x) == IF x = 0 THEN @ ELSE 1 + r(x - 1) IN r(3)]
<<1, 5>>

[[i \in 1..2 |-> i] EXCEPT ![2] = LET b(x) == @ IN [<<1>> EXCEPT ![1] = b(2) + 10 * @][1]]
<<1, 11>>

[[i \in 1..2 |-> i] EXCEPT ![2] = LET b(F(_)) == F(@) IN b(LAMBDA y : y * @ + 10)]
<<1, 14>>

[[a |-> [b |-> 1, c |-> 2]] EXCEPT !.a.b = @ + 10]
[a |-> [b |-> 11, c |-> 2]]

[[a |-> <<1, 2>>] EXCEPT !.a[2] = 0]
[a |-> <<1, 0>>]

[<<<<1>>>> EXCEPT ![1][1] = 2]
<<<<2>>>>

[5 EXCEPT ![1] = 2]
%%FAIL Attempted to apply EXCEPT construct to the value 5.

[{1} EXCEPT ![1] = 2]
%%FAIL Attempted to apply EXCEPT construct to the value {1}.

# Records

[a |-> 1]
[a |-> 1]

[a |-> 1, b |-> [c |-> {}]]
[a |-> 1, b |-> [c |-> {}]]

[a |-> 1].a
1

[a |-> 1].b
%%FAIL Attempted to select nonexistent field "b" from the record [a |-> 1]

[a |-> [b |-> 3]].a.b
3

[a |-> 1]["a"]
1

5.a
%%FAIL Attempted to select field "a" from a non-record value 5

<<1>>.a
%%FAIL Attempted to apply function with integer domain to the non-integer argument "a"

[a |-> 1, b |-> 2] = [b |-> 2, a |-> 1]
TRUE

[a |-> 1] = [a |-> 2]
FALSE

[a |-> 1] = [b |-> 1]
FALSE

[a |-> 1] = <<1>>
%%FAIL Attempted to check equality of record: [a |-> 1] with non-record <<1>>

[a |-> 1] = {}
%%FAIL Attempted to check equality of record: [a |-> 1] with non-record {}

# Sets of functions and records

[{1, 2} -> {3, 4}]
{<<3, 3>>, <<3, 4>>, <<4, 3>>, <<4, 4>>}

[{} -> {1}]
{<<>>}

[{1} -> {}]
{}

[1..2 -> BOOLEAN]
{<<FALSE, FALSE>>, <<FALSE, TRUE>>, <<TRUE, FALSE>>, <<TRUE, TRUE>>}

[{"a"} -> {1, 2}]
{[a |-> 1], [a |-> 2]}

<<3, 4>> \in [1..2 -> Nat]
TRUE

<<3, -4>> \in [1..2 -> Nat]
FALSE

<<1>> \in [1..2 -> Nat]
FALSE

[a |-> 1] \in [{"a"} -> {1}]
TRUE

1 \in [{1} -> {2}]
%%FAIL Attempted to check if 1 which is not a TLC function value, is in the set of functions: {<<2>>}

[{1, 2} -> {3}] = {[x \in {1, 2} |-> 3]}
TRUE

# Sets of functions by their domains and ranges. The first two are FALSE for TLC, which compares nothing else.
[{} -> {1}] = [{} -> {2}]
TRUE

[{1} -> {}] = [{2} -> {}]
TRUE

[{} -> {1}] = [{2} -> {1}]
FALSE

[{2} -> {1}] = [{} -> {1}]
FALSE

[{1} -> {}] = [{} -> {}]
FALSE

[{2} -> {1}] = [{2} -> {}]
FALSE

[{2} -> {}] = [{2} -> {1}]
FALSE

[{1, 2} -> {3}] = [{1} -> {3}]
FALSE

[{1} -> {2}] = [{1} -> {3}]
FALSE

[a : {1, 2}, b : {3}]
{[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]}

[a : {}, b : {1}]
{}

[a |-> 1, b |-> 3] \in [a : {1, 2}, b : {3}]
TRUE

[a |-> 1] \in [a : {1}, b : {1}]
FALSE

[a |-> "x"] \in [a : STRING]
TRUE

[a |-> 5] \in [a : Nat]
TRUE

1 \in [a : {1}]
%%FAIL Attempted to check if non-record 1 is in the set of records: {[a |-> 1]}

[a : {1}] = {[a |-> 1]}
TRUE

Cardinality([1..3 -> 1..4])
64

{f \in [1..2 -> 0..1] : f[1] < f[2]}
{<<0, 1>>}

{r.a : r \in [a : 1..2, b : 1..2]}
{1, 2}

# TLC

1 :> 2
<<2>>

(1 :> 2) @@ (2 :> 3)
<<2, 3>>

("a" :> 1) @@ ("b" :> 2)
[a |-> 1, b |-> 2]

(1 :> 2) @@ (1 :> 3)
<<2>>

[a |-> 1] @@ [b |-> 2]
[a |-> 1, b |-> 2]

<<1, 2>> @@ <<3, 4, 5>>
<<1, 2, 5>>

<<1>> @@ (3 :> 3)
(1 :> 1 @@ 3 :> 3)

1 @@ 2
%%FAIL The first argument of @@ should be a function, but instead it is:

Permutations({1, 2})
{<<1, 2>>, <<2, 1>>}

Cardinality(Permutations({1, 2, 3}))
6

SortSeq(<<3, 1, 2>>, <)
<<1, 2, 3>>

SortSeq(<<3, 1, 2>>, LAMBDA a, b : a > b)
<<3, 2, 1>>

SortSeq(<<>>, <)
<<>>

ToString(<<1, "a", {2}>>)
"<<1, \"a\", {2}>>"

ToString("a")
"\"a\""

Assert(TRUE, "fine")
TRUE

Assert(FALSE, "not fine")
%%FAIL The first argument of Assert evaluated to FALSE; the second argument was:

TLCEval({x \in 1..3 : x > 1})
{2, 3}

RandomElement({7})
7

RandomElement({})
%%FAIL

TLCGet(5)
%%FAIL

# Functions that cannot be listed, changed by EXCEPT

[[i \in Nat |-> i + 1] EXCEPT ![4] = 9, ![6] = @ * 2][6]
14

[[i \in Nat |-> i + 1] EXCEPT ![4] = 9, ![4] = @ + 1][4]
10

[[i \in Nat, j \in STRING |-> <<i, j>>] EXCEPT ![3, "a"] = @[1]][3, "a"]
3

# A function of functions that asks for a part of its own value

LET f[i \in 0..3] == [j \in 0..3 |-> IF j = 0 THEN f[i][1] + 1 ELSE IF i = 0 THEN j ELSE f[i - 1][j] + 1] IN f[3][0]
5

LET f[i \in 0..3] == [j \in 0..i |-> IF j = 0 THEN 0 ELSE f[i][j - 1] + 2] IN f[3]
(0 :> 0 @@ 1 :> 2 @@ 2 :> 4 @@ 3 :> 6)

# Functions in sets of records, and what is no record.
[x \in {"a"} |-> 1] \in [a : {1}]
TRUE

[x \in {"a"} |-> 2] \in [a : {1}]
FALSE

[x \in {"a", "b"} |-> 1] \in [a : {1}]
FALSE

[x \in {1} |-> 1] \in [a : {1}]
%%FAIL Attempted to check if non-record
