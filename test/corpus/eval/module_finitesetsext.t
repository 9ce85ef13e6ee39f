# Operators of FiniteSetsExt. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, FiniteSets, FiniteSetsExt, Sequences

FoldSet(+, 0, 0 .. 10)
55

FoldSet(+, 5, {})
5

FoldSet(LAMBDA x, y : <<x>> \o y, <<>>, {3, 1, 2})
<<3, 2, 1>>

FoldSet(LAMBDA x, y : <<x, y>>, 0, {7, 8})
<<8, <<7, 0>>>>

FoldSet(+, 0, {1, "aa"})
%%FAIL Attempted to compare string "aa" with non-string: 1

FoldSet(+, 0, 3)
%%FAIL

FoldSet(+, 0, Nat)
%%FAIL

ReduceSet(+, {1, 2, 3}, 10)
16

SumSet(0 .. 10)
55

SumSet({})
0

SumSet({-1, 1, 5})
5

SumSet({"aa"})
%%FAIL

ProductSet(1 .. 5)
120

ProductSet({})
1

ProductSet({0, 7})
0

MapThenSumSet(LAMBDA e : e.n, {[n |-> 0], [n |-> 1], [n |-> 2]})
3

MapThenSumSet(LAMBDA e : 1, {4, 5})
2

MapThenSumSet(LAMBDA e : e, {})
0

FlattenSet({{1, 2}, {2, 3}, {4}})
{1, 2, 3, 4}

FlattenSet({})
{}

FlattenSet({{}})
{}

SymDiff({1, 2, 3}, {2, 3, 4})
{1, 4}

SymDiff({1, 2}, {3, 4})
{1, 2, 3, 4}

SymDiff({1, 2}, {1, 2})
{}

SymDiff({}, {1})
{1}

Quantify(1 .. 9, LAMBDA n : n % 2 = 0)
4

Quantify({}, LAMBDA n : TRUE)
0

Quantify({1, 2}, LAMBDA n : 3)
%%FAIL

Quantify(3, LAMBDA n : TRUE)
%%FAIL The first argument of Quantify should be a set, but instead it is: 3

kSubset(2, 1 .. 3)
{{1, 2}, {1, 3}, {2, 3}}

kSubset(0, 1 .. 3)
{{}}

kSubset(3, 1 .. 3)
{{1, 2, 3}}

kSubset(4, 1 .. 3)
{}

kSubset(-1, 1 .. 3)
{}

kSubset(1, {})
{}

kSubset(0, {})
{{}}

kSubset("aa", {1})
%%FAIL The first argument of kSubset should be a natural number, but instead it is: "aa"

Cardinality(kSubset(3, 1 .. 10))
120

{1, 2} \in kSubset(2, 1 .. 3)
TRUE

{1, 4} \in kSubset(2, 1 .. 3)
FALSE

Max({1, 5, 3})
5

Max({7})
7

Max({-1, -5})
-1

Max({})
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

Max({"aa"})
%%FAIL The first argument of >= should be an integer, but instead it is: "aa"

Max({1, "aa"})
%%FAIL Attempted to compare string "aa" with non-string: 1

Max(3 .. 9)
9

Max(Nat)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but S was not enumerable.

Min({4, 2, 3})
2

Min({})
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

Min({-1, -5})
-5

Min({TRUE})
%%FAIL The first argument of <= should be an integer, but instead it is: TRUE

Choices({{1, 2}, {3}})
{{1, 3}, {2, 3}}

Choices({{1, 2}, {2, 3}, {5}})
{{2, 5}, {1, 2, 5}, {1, 3, 5}, {2, 3, 5}}

Choices({})
{{}}

Choices({{}})
{}

Choices({{}, {1}})
{}

ChooseUnique({2, 3, 4, 5}, LAMBDA x : x % 3 = 1)
4

ChooseUnique({2, 3, 4, 5}, LAMBDA x : x > 2)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

ChooseUnique({2, 3, 4, 5}, LAMBDA x : x > 20)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

ChooseUnique({}, LAMBDA x : TRUE)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.
