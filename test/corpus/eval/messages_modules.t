# What operators of modules say when an argument is of the wrong kind, and values at their borders.
%EXTENDS Integers, Sequences, SequencesExt, FiniteSets, FiniteSetsExt, Bags, BagsExt, Functions, Bitwise, TLC, TLCExt

SetToBag({1, 2}) (+) SetToBag({2})
<<1, 2>>

SetToBag({1, 2}) (+) 3
%%FAIL The second argument of (+) should be a bag, but instead it is: 3

SetToBag({1, 2}) (-) 3
%%FAIL The second argument of (-) should be a bag, but instead it is: 3

SetToBag({2}) \sqsubseteq SetToBag({1, 2})
TRUE

SetToBag({3}) \sqsubseteq SetToBag({1, 2})
FALSE

3 \sqsubseteq SetToBag({1, 2})
%%FAIL Applying \sqsubseteq to the following value, which is not a function with a finite domain: 3

SetToBag({1}) \sqsubseteq 3
%%FAIL Applying \sqsubseteq to the following value, which is not a function with a finite domain: 3

BagUnion({SetToBag({1}), SetToBag({1, 2})})
<<2, 1>>

BagUnion({SetToBag({1}), 3})
%%FAIL Attempted to compare integer 3 with non-integer: <<1>>

BagUnion(3)
%%FAIL Applying BagUnion to the following value, which is not a finite enumerable set: 3

BagUnion({})
<<>>

SubBag(SetToBag({1, 2}))
{<<>>, <<1>>, (2 :> 1), <<1, 1>>}

SubBag((1 :> 2 @@ 2 :> 1))
{<<>>, <<1>>, <<2>>, (2 :> 1), <<1, 1>>, <<2, 1>>}

SubBag(3)
%%FAIL Applying SubBag to the following value, which is not a function with a finite domain: 3

CopiesIn(1, 3)
%%FAIL Applying CopiesIn to the following value, which is not a function with a finite domain: 3

CopiesIn(1, (1 :> 2))
2

CopiesIn(7, (1 :> 2))
0

BagIn(1, 3)
%%FAIL Applying BagIn to the following value, which is not a function with a finite domain: 3

BagCardinality(3)
%%FAIL Applying BagCardinality to the following value, which is not a function with a finite domain: 3

BagToSet(3)
%%FAIL Applying BagToSet to the following value, which is not a function with a finite domain: 3

BagOfAll(LAMBDA x : x % 2, (1 :> 2 @@ 3 :> 4 @@ 2 :> 1))
(0 :> 1 @@ 1 :> 6)

BagOfAll(LAMBDA x : x % 2, 3)
%%FAIL The second argument of BagOfAll should be a function with a finite domain, but instead it is: 3

shiftR(12, 2)
3

shiftR(12, 0)
12

shiftR(12, -1)
%%FAIL The second argument of shiftR should be a natural number, but instead it is: -1

shiftR("a", 1)
%%FAIL The first argument of shiftR should be an integer, but instead it is: "a"

shiftR(12, "b")
%%FAIL The second argument of shiftR should be a natural number, but instead it is: "b"

shiftR(-12, 2)
-3

SumFunctionOnSet([a |-> 1, b |-> 2], {"a"})
1

SumFunctionOnSet([a |-> 1, b |-> 2], {"c"})
%%FAIL Attempted to access nonexistent field 'c' of record [a |-> 1, b |-> 2]

SumFunctionOnSet(3, {"c"})
%%FAIL The third argument of FoldFunctionOnSet should be a function, but instead it is: 3

SumFunctionOnSet([a |-> "x"], {"a"})
%%FAIL The first argument of + should be an integer, but instead it is: "x"

SumFunction([a |-> 1, b |-> 2])
3

SumFunction(3)
%%FAIL Attempted to apply the operator DOMAIN to a non-function (an integer)

RestrictDomain([a |-> 1, b |-> 2], LAMBDA x : x = "a")
[a |-> 1]

RestrictDomain(3, LAMBDA x : x = "a")
%%FAIL Attempted to apply the operator DOMAIN to a non-function (an integer)

Restrict([a |-> 1, b |-> 2], {"a"})
[a |-> 1]

Restrict(3, {"a"})
%%FAIL A non-function (an integer) was applied as a function.

Range([a |-> 1, b |-> 2])
{1, 2}

Range(3)
%%FAIL Attempted to apply the operator DOMAIN to a non-function (an integer)

Inverse([a |-> 1, b |-> 2], {"a", "b"}, {1, 2})
<<"a", "b">>

Pointwise([a |-> 1], [a |-> 2], +)
[a |-> 3]

MapThenFoldSet(LAMBDA x, y : x + y, 0, LAMBDA x : x * x, LAMBDA s : CHOOSE x \in s : TRUE, {1, 2, 3})
14

MapThenFoldSet(LAMBDA x, y : x + y, 0, LAMBDA x : x * x, LAMBDA s : 9, {1, 2, 3})
%%FAIL The fourth argument of MapThenFoldSet chose a value that is not in the set: 9

MapThenFoldSet(LAMBDA x, y : x + y, 0, LAMBDA x : x * x, LAMBDA s : CHOOSE x \in s : TRUE, 3)
%%FAIL The fifth argument of MapThenFoldSet should be a set, but instead it is: 3

SumSet({1, 2, 3})
6

SumSet({"a"})
%%FAIL The first argument of + should be an integer, but instead it is: "a"

SumSet(3)
%%FAIL The third argument of FoldSet should be a set, but instead it is: 3

ProductSet({2, 3, 4})
24

ProductSet({})
1

ReduceSet(LAMBDA x, y : x + y, {1, 2}, 10)
13

Quantify({1, 2, 3}, LAMBDA x : x > 1)
2

Quantify({1, 2, 3}, LAMBDA x : x)
%%FAIL The second argument of Quantify should be a boolean-valued operator, but instead it is: 1

kSubset(2, {1, 2, 3})
{{1, 2}, {1, 3}, {2, 3}}

kSubset(4, {1, 2, 3})
{}

kSubset(0, {1, 2, 3})
{{}}

kSubset("a", {1})
%%FAIL The first argument of kSubset should be a natural number, but instead it is: "a"

Choices({{1, 2}, {3}})
{{1, 3}, {2, 3}}

Choices({})
{{}}

Choices({{}})
{}

Max({1, 5, 3})
5

Min({4, 2, 3})
2

FlattenSet({{1}, {2, 3}})
{1, 2, 3}

SymDiff({1, 2}, {2, 3})
{1, 3}

ChooseUnique({1, 2, 3}, LAMBDA x : x = 2)
2

FoldSet(LAMBDA x, y : x + y, 0, {1, 2})
3

AssertEq(1, 1)
TRUE

TLCEval({1, 2})
{1, 2}

Permutations({1, 2})
{<<1, 2>>, <<2, 1>>}

Permutations({})
{<<>>}

Permutations(3)
%%FAIL Applying Permutations to the following value, which is not a finite set: 3

SortSeq(<<3, 1, 2>>, LAMBDA x, y : x < y)
<<1, 2, 3>>

SortSeq(<<3, 1, 2>>, LAMBDA x, y : x > y)
<<3, 2, 1>>

SortSeq(<<3, 1, 2>>, LAMBDA x, y : 1)
%%FAIL The second argument of SortSeq should be a boolean function, but instead it is: 1

SortSeq(3, LAMBDA x, y : x < y)
%%FAIL The first argument of SortSeq should be a natural number, but instead it is: 3

(1 :> 2) @@ 3
%%FAIL The second argument of @@ should be a function, but instead it is: 3

3 @@ (1 :> 2)
%%FAIL The first argument of @@ should be a function, but instead it is: 3

(1 :> 2) @@ (1 :> 3 @@ 2 :> 4)
<<2, 4>>

ToString(<<1, "a", {2}>>)
"<<1, \"a\", {2}>>"

Head(<<>>)
%%FAIL Attempted to apply Head to the empty sequence.

Tail(<<>>)
%%FAIL Attempted to apply Tail to the empty sequence.

Head(3)
%%FAIL The argument of Head should be a sequence, but instead it is: 3

Len(3)
%%FAIL The argument of Len should be a sequence, but instead it is: 3

Len("abc")
3

Append(3, 1)
%%FAIL Evaluating an expression of the form Append(s, v) when s is not a sequence: 3

Append(<<1>>, 2)
<<1, 2>>

<<1>> \o 2
%%FAIL Evaluating an expression of the form t \o s when s is not a sequence: 2

2 \o <<1>>
%%FAIL Evaluating an expression of the form s \o t when s is not a sequence: 2

"a" \o "b"
"ab"

SubSeq(<<1, 2, 3>>, 2, 9)
%%FAIL The third argument of SubSeq must be in the domain of its first argument: <<1, 2, 3>> , but instead it is 9

SubSeq(<<1, 2, 3>>, 0, 1)
%%FAIL The second argument of SubSeq must be in the domain of its first argument: <<1, 2, 3>> , but instead it is 0

SubSeq(<<1, 2, 3>>, 3, 2)
<<>>

SubSeq(<<1, 2, 3>>, "a", 2)
%%FAIL The second argument of SubSeq should be a natural number, but instead it is: "a"

SubSeq(<<1, 2, 3>>, 1, "b")
%%FAIL The third argument of SubSeq should be a natural number, but instead it is: "b"

SubSeq(3, 1, 2)
%%FAIL The first argument of SubSeq should be a sequence, but instead it is: 3

SubSeq("abcd", 2, 3)
"bc"

SelectSeq(<<1, 2, 3>>, LAMBDA x : x)
%%FAIL The second argument of SelectSeq should be a boolean-valued operator, but instead it is: 1

SelectSeq(3, LAMBDA x : TRUE)
%%FAIL The first argument of SelectSeq should be a sequence, but instead it is: 3

Cardinality(3)
%%FAIL Attempted to compute cardinality of the value 3

Cardinality(Nat)
%%FAIL Attempted to compute cardinality of the value Nat

IsFiniteSet(3)
%%FAIL Attempted to check if the integer 3 is a finite set.

IsFiniteSet(Nat)
FALSE

SelectInSeq(<<1>>, LAMBDA x : 3)
%%FAIL The third argument of SelectInSeq should be a boolean-valued operator, but instead it is: 3

SelectInSeq(1, LAMBDA x : TRUE)
%%FAIL The first argument of SelectInSeq should be a sequence, but instead it is: 1

SelectLastInSeq(<<1>>, LAMBDA x : 3)
%%FAIL The third argument of SelectLastInSeq should be a boolean-valued function, but instead it is: 3

SelectLastInSeq(1, LAMBDA x : TRUE)
%%FAIL The first argument of SelectLastInSeq should be a sequence, but instead it is: 1

SelectInSubSeq(1, 1, 2, LAMBDA x : TRUE)
%%FAIL The first argument of SelectInSubSeq should be a sequence, but instead it is: 1

SelectInSubSeq(<<4, 5, 6>>, 2, 3, LAMBDA x : x > 4)
2

SelectInSubSeq(<<4, 5, 6>>, "a", 3, LAMBDA x : x > 4)
%%FAIL The second argument of SelectInSubSeq should be a natural, but instead it is: "a"

SelectLastInSubSeq(<<4, 5, 6>>, 1, 2, LAMBDA x : x > 3)
2

SelectLastInSubSeq(<<4, 5, 6>>, 1, "b", LAMBDA x : x > 3)
%%FAIL The third argument of SelectLastInSubSeq should be a natural, but instead it is: "b"

SelectLastInSubSeq(7, 1, 2, LAMBDA x : x > 3)
%%FAIL The first argument of SelectLastInSubSeq should be a sequence, but instead it is: 7

RemoveFirstMatch(<<1, 2>>, LAMBDA x : 3)
%%FAIL The second argument of RemoveFirstMatch should be a boolean-valued function, but instead it is: 3

RemoveFirstMatch(3, LAMBDA x : TRUE)
%%FAIL The first argument of RemoveFirstMatch should be a sequence, but instead it is: 3

RemoveFirstMatch(<<1, 2, 1>>, LAMBDA x : x = 1)
<<2, 1>>

LongestCommonPrefix({<<1, 2, 3>>, <<1, 2, 4>>, <<1, 2>>})
<<1, 2>>

LongestCommonPrefix({<<1, 2, 3>>, <<2, 2, 4>>})
<<>>

LongestCommonPrefix({<<1, 2, 3, 4>>, <<1, 2, 3>>, <<1, 5, 6>>})
<<1>>

LongestCommonPrefix({"abcd", "abce", "abx"})
"ab"

LongestCommonPrefix({"abcd", 3})
%%FAIL Attempted to compare integer 3 with non-integer: "abcd"

LongestCommonPrefix({"a", "a"})
"a"

LongestCommonPrefix({<<1>>, 3})
%%FAIL Attempted to compare integer 3 with non-integer: <<1>>

LongestCommonPrefix({})
%%FAIL The argument of LongestCommonPrefix should be a non-empty set, but instead it is: {}

LongestCommonPrefix(3)
%%FAIL The argument of LongestCommonPrefix should be a non-empty set, but instead it is: 3

FoldSeq(LAMBDA x, y : x + y, 0, <<1, 2, 3>>)
6

FoldSeq(LAMBDA x, y : x + y, 0, 3)
%%FAIL The third argument of FoldFunction should be a function, but instead it is: 3

FoldLeft(LAMBDA x, y : x - y, 10, <<1, 2, 3>>)
4

FoldRight(LAMBDA x, y : x - y, <<1, 2, 3>>, 10)
-8

IsPrefix("ab", "abc")
TRUE

IsPrefix(<<1>>, <<1, 2>>)
TRUE

IsPrefix(<<2>>, <<1, 2>>)
FALSE

IsPrefix(3, <<1, 2>>)
%%FAIL The first argument of IsPrefix should be a sequence, but instead it is: 3

ReplaceFirstSubSeq(<<9, 9>>, <<2, 3>>, <<1, 2, 3, 4, 2, 3>>)
<<1, 9, 9, 4, 2, 3>>

ReplaceFirstSubSeq(<<9>>, <<>>, <<1, 2>>)
<<9, 1, 2>>

ReplaceFirstSubSeq(3, <<1>>, <<1, 2>>)
%%FAIL The first argument of ReplaceFirstSubSeq should be a sequence, but instead it is: 3

ReplaceFirstSubSeq(<<3>>, 1, <<1, 2>>)
%%FAIL The second argument of ReplaceFirstSubSeq should be a sequence, but instead it is: 1

ReplaceFirstSubSeq(<<3>>, <<1>>, 1)
%%FAIL The third argument of ReplaceFirstSubSeq should be a sequence, but instead it is: 1

ReplaceAllSubSeqs(<<9>>, <<2, 3>>, <<1, 2, 3, 4, 2, 3>>)
<<1, 9, 4, 9>>

IndexFirstSubSeq(<<2, 3>>, <<1, 2, 3>>)
2

IndexFirstSubSeq(<<>>, <<1, 2, 3>>)
1

IndexFirstSubSeq(<<4>>, <<1, 2, 3>>)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

IndexFirstSubSeq(<<1, 2>>, <<1>>)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

IndexFirstSubSeq(3, <<1>>)
%%FAIL The first argument of IndexFirstSubSeq should be a sequence, but instead it is: 3

IndexFirstSubSeq(<<1>>, 3)
%%FAIL The second argument of IndexFirstSubSeq should be a sequence, but instead it is: 3
