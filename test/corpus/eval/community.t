# Community modules, as far as TLC's REPL extends them
# The values and messages are those of TLC's REPL (tlaplus/tlaplus at cc6b616).

# FiniteSetsExt

FoldSet(LAMBDA a, b : a + b, 0, {1, 2, 3})
6

ReduceSet(LAMBDA a, b : a + b, {1, 2, 3}, 10)
16

Quantify({1, 2, 3}, LAMBDA x : x > 1)
2

SumSet({1, 2, 3})
6

ProductSet({2, 3, 4})
24

kSubset(2, {1, 2, 3})
{{1, 2}, {1, 3}, {2, 3}}

kSubset(0, {1})
{{}}

kSubset(5, {1})
{}

Max({3, 1, 2})
3

Min({3, 1, 2})
1

Max({})
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

SymDiff({1, 2}, {2, 3})
{1, 3}

ChooseUnique({1, 2}, LAMBDA x : x > 1)
2

MapThenSumSet(LAMBDA x : x * x, {1, 2, 3})
14

Choices({{1, 2}, {3}})
{{1, 3}, {2, 3}}

# SequencesExt

ToSet(<<1, 2, 1>>)
{1, 2}

SetToSeq({3, 1, 2})
<<1, 2, 3>>

SetToSortSeq({3, 1, 2}, >)
<<3, 2, 1>>

Reverse(<<1, 2, 3>>)
<<3, 2, 1>>

Contains(<<1, 2>>, 2)
TRUE

Remove(<<1, 2, 1, 3>>, 1)
<<2, 3>>

RemoveAt(<<1, 2, 3>>, 2)
<<1, 3>>

ReplaceAt(<<1, 2, 3>>, 2, 9)
<<1, 9, 3>>

ReplaceAll(<<1, 2, 1>>, 1, 7)
<<7, 2, 7>>

InsertAt(<<1, 2>>, 1, 0)
<<0, 1, 2>>

Front(<<1, 2, 3>>)
<<1, 2>>

Last(<<1, 2, 3>>)
3

IsPrefix(<<1>>, <<1, 2>>)
TRUE

IsStrictPrefix(<<1, 2>>, <<1, 2>>)
FALSE

IsSuffix(<<2>>, <<1, 2>>)
TRUE

Prefixes(<<1, 2>>)
{<<>>, <<1>>, <<1, 2>>}

CommonPrefixes({<<1, 2>>, <<1, 3>>})
{<<>>, <<1>>}

LongestCommonPrefix({<<1, 2>>, <<1, 3>>})
<<1>>

SeqMod(5, 3)
2

FlattenSeq(<<<<1>>, <<2, 3>>>>)
<<1, 2, 3>>

Zip(<<1, 2>>, <<3, 4>>)
<<<<1, 3>>, <<2, 4>>>>

Interleave(<<1, 2>>, <<3, 4>>)
<<<<1>>, <<3>>, <<2>>, <<4>>>>

SubSeqs(<<1, 2>>)
{<<>>, <<1>>, <<2>>, <<1, 2>>}

SetToSeqs({1, 2})
{<<1, 2>>, <<2, 1>>}

SetToAllKPermutations({1, 2})
{<<>>, <<1>>, <<2>>, <<1, 2>>, <<2, 1>>}

TupleOf({1, 2}, 2)
{<<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>}

SeqOf({1}, 2)
{<<>>, <<1>>, <<1, 1>>}

BoundedSeq({1}, 1)
{<<>>, <<1>>}

FoldSeq(LAMBDA a, b : a + b, 0, <<1, 2, 3>>)
6

FoldLeft(LAMBDA a, b : a - b, 10, <<1, 2, 3>>)
4

FoldRight(LAMBDA a, b : a - b, <<1, 2, 3>>, 10)
-8

FoldLeftDomain(LAMBDA a, i : a + i, 0, <<5, 5>>)
3

IsInjective(<<1, 2, 1>>)
FALSE

SelectInSeq(<<1, 2, 3>>, LAMBDA x : x > 1)
2

SelectLastInSeq(<<1, 2, 3>>, LAMBDA x : x > 1)
3

RemoveFirst(<<1, 2, 1>>, 1)
<<2, 1>>

RemoveFirstMatch(<<1, 2, 3>>, LAMBDA x : x > 1)
<<1, 3>>

AllSubSeqs(<<1, 2>>)
{<<>>, <<1>>, <<2>>, <<1, 2>>}

Cons(0, <<1>>)
<<0, 1>>

Snoc(<<1>>, 2)
%%FAIL Evaluating an expression of the form Append(s, v) when s is not a sequence:

Suffixes(<<1, 2>>)
{<<>>, <<2>>, <<1, 2>>}

# Functions

Range(<<1, 2, 1>>)
{1, 2}

Restrict(<<5, 6, 7>>, {1, 2})
<<5, 6>>

Inverse(<<"a", "b">>, {1, 2}, {"a", "b"})
[a |-> 1, b |-> 2]

AntiFunction(<<"a", "b">>)
[a |-> 1, b |-> 2]

IsInjective([x \in {1, 2} |-> x])
TRUE

Injection({1}, {2, 3})
{<<2>>, <<3>>}

Bijection({1, 2}, {3, 4})
{<<3, 4>>, <<4, 3>>}

Surjection({1, 2}, {3})
{<<3, 3>>}

ExistsInjection({1, 2}, {3})
FALSE

FoldFunction(LAMBDA a, b : a + b, 0, <<1, 2, 3>>)
6

FoldFunctionOnSet(LAMBDA a, b : a + b, 0, <<1, 2, 3>>, {1, 3})
4

RestrictDomain(<<5, 6, 7>>, LAMBDA x : x > 1)
(2 :> 6 @@ 3 :> 7)

RestrictValues(<<5, 6, 7>>, LAMBDA x : x > 5)
(2 :> 6 @@ 3 :> 7)

# Folds, Bitwise, Relation, Combinatorics

MapThenFoldSet(LAMBDA a, b : a + b, 0, LAMBDA x : x * 2, LAMBDA s : CHOOSE x \in s : TRUE, {1, 2})
6
