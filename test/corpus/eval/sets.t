# Sets and strings
# The values and messages are those of TLC's REPL (tlaplus/tlaplus at cc6b616).

# Enumerations

{}
{}

{1}
{1}

{3, 1, 2, 1}
{1, 2, 3}

{"b", "a"}
{"a", "b"}

{{}, {1}, {2, 1}}
{{}, {1}, {1, 2}}

{TRUE, FALSE}
{FALSE, TRUE}

{1, "a"}
%%FAIL Attempted to compare string "a" with non-string: 1

{1, {}}
%%FAIL Attempted to compare the set {} with the value: 1

{1, TRUE}
%%FAIL Attempted to compare boolean TRUE with non-boolean: 1

{<<1>>, 1}
%%FAIL Attempted to compare integer 1 with non-integer: <<1>>

{<<2>>, <<1>>, <<1, 0>>}
{<<1>>, <<2>>, <<1, 0>>}

{[a |-> 2], [a |-> 1]}
{[a |-> 1], [a |-> 2]}

{[b |-> 1], [a |-> 1]}
{[a |-> 1], [b |-> 1]}

{{1}, <<1>>}
%%FAIL Attempted to compare the function <<1>> with the value: {1}

# Operators

{1, 2} \cup {2, 3}
{1, 2, 3}

{1, 2} \union {3}
{1, 2, 3}

{1, 2} \cap {2, 3}
{2}

{1, 2} \intersect {3}
{}

{1, 2, 3} \ {2}
{1, 3}

{1} \subseteq {1, 2}
TRUE

{} \subseteq {1}
TRUE

{1, 3} \subseteq {1, 2}
FALSE

1 \in {1, 2}
TRUE

3 \notin {1, 2}
TRUE

"a" \in {1, 2}
%%FAIL Attempted to check equality of integer 1 with non-integer: "a"

1 \in "a"
%%FAIL Attempted to check if the value: 1 is an element of the string "a"

1 \in 2
%%FAIL Attempted to check if the value: 1 is an element of the integer 2

1 \cup {2}
{2} \cup 1

{1} \cup 2
{1} \cup 2

{1} \cap "a"
%%FAIL Attempted to check if the value: 1 is an element of the string "a"

UNION {{1}, {2, 3}, {}}
{1, 2, 3}

UNION {}
{}

UNION {1}
%%FAIL Attempted to enumerate UNION(s), but some element of s is nonenumerable.

SUBSET {}
{{}}

SUBSET {1, 2, 3}
{{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}

SUBSET 1..2
%%FAIL

SUBSET 5
SUBSET 5

{} \in SUBSET {1}
TRUE

{1, 5} \in SUBSET {1, 2}
FALSE

1 \in SUBSET {1}
%%FAIL Attempted to check if the non-enumerable value 1 is element of {{}, {1}}

SUBSET {1} \subseteq SUBSET {1, 2}
TRUE

Cardinality(SUBSET (1..10))
1024

Cardinality(SUBSET (1..20))
1048576

{1, 2} = {2, 1}
TRUE

{} = {}
TRUE

{1} = 1
%%FAIL Attempted to check equality of the set {1} with the value: 1

{1} # {2}
TRUE

{{1}, {2}} = {{2}, {1}}
TRUE

SUBSET {1} = {{}, {1}}
TRUE

# Comprehensions

{x \in 1..5 : x % 2 = 1}
{1, 3, 5}

{x + 1 : x \in 1..3}
{2, 3, 4}

{x + y : x, y \in 1..2}
{2, 3, 4}

{<<x, y>> : x \in {1, 2}, y \in {3}}
{<<1, 3>>, <<2, 3>>}

{<<a, b>> \in {1, 2} \X {1, 2} : a < b}
{<<1, 2>>}

{a + b : <<a, b>> \in {<<1, 2>>, <<3, 4>>}}
{3, 7}

{x \in {} : FALSE}
{}

{x \in 1..3 : 5}
%%FAIL Attempted to evaluate an expression of form {x \in S : P(x)} when P was an integer.

{1 : x \in 1..3}
{1}

{x \in SUBSET {1, 2} : x # {}}
{{1}, {2}, {1, 2}}

{{y \in 1..x : y > 1} : x \in 1..3}
{{}, {2}, {2, 3}}

# Products

{1, 2} \X {3}
{<<1, 3>>, <<2, 3>>}

{1} \X {2} \X {3}
{<<1, 2, 3>>}

({1} \X {2}) \X {3}
{<<<<1, 2>>, 3>>}

{} \X {1}
{}

<<1, 3>> \in {1, 2} \X {3}
TRUE

<<1>> \in {1} \X {2}
FALSE

1 \in {1} \X {2}
%%FAIL Attempted to check if non-tuple 1 is in the set of tuples: {<<1, 2>>}

Cardinality((1..10) \X (1..20))
200

{1} \X 2
({1} \X 2)

# FiniteSets

Cardinality({})
0

Cardinality({1, 1, 2})
2

Cardinality(5)
%%FAIL Attempted to compute cardinality of the value

Cardinality("abc")
%%FAIL Attempted to compute cardinality of the value

Cardinality([1..3 -> 1..2])
8

Cardinality([a : 1..3, b : 1..2])
6

IsFiniteSet({1})
TRUE

IsFiniteSet(Nat)
FALSE

IsFiniteSet(SUBSET Nat)
FALSE

IsFiniteSet(5)
%%FAIL

# Strings

"abc"
"abc"

""
""

"a" = "b"
FALSE

"a" \in STRING
TRUE

1 \in STRING
%%FAIL Attempted to check if the value:

STRING
STRING

"tab\there"
"tab\there"

"back\\slash"
"back\\slash"

Len("abc")
3

"ab" \o "cd"
"abcd"

SubSeq("abcdef", 2, 3)
"bc"

Head("abc")
%%FAIL The argument of Head should be a sequence, but instead it is:

"abc"[1]
%%FAIL A non-function (a string) was applied as a function.

DOMAIN "abc"
%%FAIL Attempted to apply the operator DOMAIN to a non-function (a string)
