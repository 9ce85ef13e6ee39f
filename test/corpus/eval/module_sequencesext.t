# Operators of SequencesExt. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, SequencesExt

ToSet(<<1, 2, 1>>)
{1, 2}

ToSet(<<>>)
{}

ToSet([aa |-> 1])
{1}

ToSet(3)
%%FAIL Attempted to apply the operator DOMAIN to a non-function (an integer)

ToBag(<<7, 8, 7>>)
(7 :> 2 @@ 8 :> 1)

ToBag(<<>>)
<<>>

SetToSeq({3, 1, 2})
<<1, 2, 3>>

SetToSeq({})
<<>>

SetToSeq(2 .. 4)
<<2, 3, 4>>

SetToSeq({<<2>>, <<1>>, <<1, 1>>})
<<<<1>>, <<2>>, <<1, 1>>>>

SetToSeq(SUBSET {1, 2})
<<{}, {1}, {2}, {1, 2}>>

SetToSeq(3)
%%FAIL

SetToSeqs({1, 2})
{<<1, 2>>, <<2, 1>>}

SetToSeqs({})
{<<>>}

SetToSeqs({7})
{<<7>>}

SetToSeqs(1 .. 3)
{<<1, 2, 3>>, <<1, 3, 2>>, <<2, 1, 3>>, <<2, 3, 1>>, <<3, 1, 2>>, <<3, 2, 1>>}

SetToSeqs(3)
%%FAIL Applying SetToSeqs to the following value, which is not a finite set: 3

SetToSortSeq({3, 1, 2}, <)
<<1, 2, 3>>

SetToSortSeq({3, 1, 2}, >)
<<3, 2, 1>>

SetToSortSeq({}, <)
<<>>

SetToAllKPermutations({})
{<<>>}

SetToAllKPermutations({5})
{<<>>, <<5>>}

SetToAllKPermutations({5, 6})
{<<>>, <<5>>, <<6>>, <<5, 6>>, <<6, 5>>}

TupleOf({1, 2}, 2)
{<<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>}

TupleOf({1, 2}, 0)
{<<>>}

SeqOf({1, 2}, 2)
{<<>>, <<1>>, <<2>>, <<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>}

SeqOf({1}, 3)
{<<>>, <<1>>, <<1, 1>>, <<1, 1, 1>>}

SeqOf({}, 3)
{<<>>}

BoundedSeq({1}, 2)
{<<>>, <<1>>, <<1, 1>>}

Contains(<<1, 2>>, 2)
TRUE

Contains(<<1, 2>>, 3)
FALSE

Contains(<<>>, 3)
FALSE

Contains(3, 3)
%%FAIL The argument of Contains should be a sequence, but instead it is: 3

IsSorted(<<>>, <)
TRUE

IsSorted(<<5>>, <)
TRUE

IsSorted(<<1, 2, 3>>, <)
TRUE

IsSorted(<<1, 2, 2>>, <)
FALSE

IsSorted(<<1, 2, 2>>, <=)
TRUE

IsSorted(<<3, 2, 1>>, >)
TRUE

Reverse(<<1, 2, 3>>)
<<3, 2, 1>>

Reverse(<<>>)
<<>>

Reverse(<<1>>)
<<1>>

Reverse(3)
%%FAIL The argument of Len should be a sequence, but instead it is: 3

Remove(<<1, 2, 1, 3>>, 1)
<<2, 3>>

Remove(<<1, 2>>, 5)
<<1, 2>>

Remove(<<>>, 5)
<<>>

ReplaceAll(<<1, 2, 1>>, 1, 9)
<<9, 2, 9>>

ReplaceAll(<<>>, 1, 9)
<<>>

SelectInSeq(<<5, 6, 7>>, LAMBDA x : x > 5)
2

SelectInSeq(<<5, 6, 7>>, LAMBDA x : x > 50)
0

SelectInSeq(<<>>, LAMBDA x : TRUE)
0

SelectInSeq(3, LAMBDA x : TRUE)
%%FAIL The first argument of SelectInSeq should be a sequence, but instead it is: 3

SelectInSeq(<<1>>, LAMBDA x : 3)
%%FAIL

SelectLastInSeq(<<5, 6, 7>>, LAMBDA x : x > 5)
3

SelectLastInSeq(<<5, 6, 7>>, LAMBDA x : x > 50)
0

SelectLastInSeq(3, LAMBDA x : TRUE)
%%FAIL The first argument of SelectLastInSeq should be a sequence, but instead it is: 3

SelectInSubSeq(<<5, 6, 7, 8>>, 2, 3, LAMBDA x : x > 5)
2

SelectInSubSeq(<<5, 6, 7, 8>>, 3, 4, LAMBDA x : x > 5)
3

SelectInSubSeq(<<5, 6, 7, 8>>, 3, 2, LAMBDA x : x > 5)
0

SelectInSubSeq(<<5, 6, 7, 8>>, 0, 2, LAMBDA x : x > 5)
%%FAIL The second argument of SelectInSubSeq must be in the domain of its first argument: <<5, 6, 7, 8>> , but instead it is 0

SelectInSubSeq(<<5, 6, 7, 8>>, 1, 5, LAMBDA x : x > 5)
%%FAIL The third argument of SelectInSubSeq must be in the domain of its first argument: <<5, 6, 7, 8>> , but instead it is 5

SelectInSubSeq(<<5, 6, 7, 8>>, "aa", 5, LAMBDA x : x > 5)
%%FAIL The second argument of SelectInSubSeq should be a natural, but instead it is: "aa"

SelectInSubSeq(<<5, 6, 7, 8>>, 1, 2, LAMBDA x : x > 50)
0

SelectLastInSubSeq(<<5, 6, 7, 8>>, 1, 3, LAMBDA x : x > 5)
3

SelectLastInSubSeq(<<5, 6, 7, 8>>, 1, 3, LAMBDA x : x > 7)
0

SelectLastInSubSeq(<<5, 6, 7, 8>>, 5, 6, LAMBDA x : x > 5)
%%FAIL The second argument of SelectLastInSubSeq must be in the domain of its first argument: <<5, 6, 7, 8>> , but instead it is 5

InsertAt(<<1, 2>>, 1, 9)
<<9, 1, 2>>

InsertAt(<<1, 2>>, 2, 9)
<<1, 9, 2>>

InsertAt(<<1, 2>>, 3, 9)
<<1, 2, 9>>

InsertAt(<<1, 2>>, 4, 9)
%%FAIL The third argument of SubSeq must be in the domain of its first argument: <<1, 2>> , but instead it is 3

InsertAt(<<>>, 1, 9)
<<9>>

ReplaceAt(<<1, 2>>, 1, 9)
<<9, 2>>

RemoveAt(<<1, 2, 3>>, 1)
<<2, 3>>

RemoveAt(<<1, 2, 3>>, 2)
<<1, 3>>

RemoveAt(<<1, 2, 3>>, 3)
<<1, 2>>

RemoveAt(<<1, 2, 3>>, 4)
<<1, 2, 3>>

RemoveAt(<<1, 2, 3>>, 5)
%%FAIL The third argument of SubSeq must be in the domain of its first argument: <<1, 2, 3>> , but instead it is 4

RemoveAt(<<1, 2, 3>>, 0)
<<1, 2, 3>>

RemoveFirst(<<1, 2, 1>>, 1)
<<2, 1>>

RemoveFirst(<<1, 2>>, 5)
<<1, 2>>

RemoveFirst(<<1>>, 1)
<<>>

RemoveFirst(3, 1)
%%FAIL The first argument of RemoveFirst should be a sequence, but instead it is: 3

RemoveFirstMatch(<<1, 2, 3>>, LAMBDA x : x > 1)
<<1, 3>>

RemoveFirstMatch(<<1, 2, 3>>, LAMBDA x : x > 10)
<<1, 2, 3>>

RemoveFirstMatch(<<1, 2, 3>>, LAMBDA x : x)
%%FAIL The second argument of RemoveFirstMatch should be a boolean-valued function, but instead it is:

Cons(1, <<2>>)
<<1, 2>>

Cons(1, <<>>)
<<1>>

Snoc(1, <<2>>)
<<2, 1>>

Front(<<1, 2, 3>>)
<<1, 2>>

Front(<<1>>)
<<>>

Front(<<>>)
<<>>

Last(<<1, 2, 3>>)
3

Last(<<>>)
%%FAIL Attempted to access index 0 of tuple <<>> which is out of bounds.

IsPrefix(<<>>, <<1>>)
TRUE

IsPrefix(<<1>>, <<1, 2>>)
TRUE

IsPrefix(<<2>>, <<1, 2>>)
FALSE

IsPrefix(<<1, 2>>, <<1>>)
FALSE

IsPrefix("ab", "abc")
TRUE

IsPrefix("b", "abc")
FALSE

IsPrefix("", "")
TRUE

IsStrictPrefix(<<1>>, <<1, 2>>)
TRUE

IsStrictPrefix(<<1, 2>>, <<1, 2>>)
FALSE

IsSuffix(<<2>>, <<1, 2>>)
TRUE

IsSuffix(<<1>>, <<1, 2>>)
FALSE

IsSuffix(<<>>, <<>>)
TRUE

IsSuffix(<<>>, <<1>>)
TRUE

IsSuffix(<<1, 2>>, <<2>>)
FALSE

IsSuffix(<<"a", 3>>, <<1, 2>>)
FALSE

IsSuffix(<<"a", 2>>, <<1, 2>>)
%%FAIL Attempted to check equality of string "a" with non-string

IsSuffix(<<1>>, 1)
%%FAIL The argument of Len should be a sequence

IsStrictSuffix(<<2>>, <<1, 2>>)
TRUE

IsStrictSuffix(<<1, 2>>, <<1, 2>>)
FALSE

Prefixes(<<1, 2>>)
{<<>>, <<1>>, <<1, 2>>}

Prefixes(<<>>)
{<<>>}

Suffixes(<<1, 2>>)
{<<>>, <<2>>, <<1, 2>>}

Suffixes(<<>>)
{<<>>}

Suffixes(<<1, 1, 1>>)
{<<>>, <<1>>, <<1, 1>>, <<1, 1, 1>>}

Suffixes(3)
%%FAIL The argument of Suffixes should be a sequence, but instead it is: 3

CommonPrefixes({<<1, 2>>, <<1, 3>>})
{<<>>, <<1>>}

CommonPrefixes({<<1>>, <<2>>})
{<<>>}

CommonPrefixes({})
{}

LongestCommonPrefix({<<1, 2>>, <<1, 3>>})
<<1>>

LongestCommonPrefix({<<1, 2>>})
<<1, 2>>

LongestCommonPrefix({<<1>>, <<2>>})
<<>>

LongestCommonPrefix({<<1, 2, 3>>, <<1, 2>>, <<1, 2, 4>>})
<<1, 2>>

LongestCommonPrefix({})
%%FAIL The argument of LongestCommonPrefix should be a non-empty set, but instead it is: {}

LongestCommonPrefix({1})
%%FAIL The argument of LongestCommonPrefix should be a sequence, but instead it is: {1}

LongestCommonPrefix(3)
%%FAIL The argument of LongestCommonPrefix should be a non-empty set, but instead it is: 3

LongestCommonPrefix({"abc", "abd"})
"ab"

SeqMod(5, 3)
2

SeqMod(6, 3)
3

FoldSeq(+, 0, <<1, 2, 3>>)
6

FoldSeq(LAMBDA x, y : <<x, y>>, 0, <<1, 2, 3>>)
<<3, <<2, <<1, 0>>>>>>

FoldLeft(LAMBDA x, y : <<x, y>>, 0, <<3, 1, 2>>)
<<<<<<0, 3>>, 1>>, 2>>

FoldLeft(+, 0, <<>>)
0

FoldLeft(+, 0, 3)
%%FAIL The third argument of FoldLeft should be a sequence, but instead it is: 3

FoldRight(LAMBDA x, y : <<x, y>>, <<3, 1, 2>>, 0)
<<3, <<1, <<2, 0>>>>>>

FoldRight(+, <<>>, 0)
0

FoldRight(+, 3, 0)
%%FAIL The second argument of FoldRight should be a sequence, but instead it is: 3

FoldLeftDomain(LAMBDA x, y : <<x, y>>, 0, <<"aa", "bb">>)
<<<<0, 1>>, 2>>

FoldRightDomain(LAMBDA x, y : <<x, y>>, <<"aa", "bb">>, 0)
<<1, <<2, 0>>>>

FlattenSeq(<<<<1, 2>>, <<1>>>>)
<<1, 2, 1>>

FlattenSeq(<<"ab", "cd">>)
"abcd"

FlattenSeq(<<>>)
<<>>

FlattenSeq(<<<<>>, <<1>>, <<>>>>)
<<1>>

FlattenSeq(<<<<1>>, "ab">>)
%%FAIL Evaluating an expression of the form t \o s when s is not a sequence: "ab"

FlattenSeq(<<"ab", <<1>>>>)
%%FAIL Evaluating an expression of the form t \o s when s is not a string: <<1>>

FlattenSeq(<<1>>)
1

FlattenSeq(<<1, 2>>)
%%FAIL Evaluating an expression of the form s \o t when s is not a sequence: 1

Zip(<<>>, <<>>)
<<>>

Zip(<<1, 3>>, <<2, 4>>)
<<<<1, 2>>, <<3, 4>>>>

Zip(<<1, 3, 5>>, <<2>>)
<<<<1, 2>>>>

Zip(<<>>, <<2>>)
<<>>

Interleave(<<>>, <<>>)
<<<<>>, <<>>>>

Interleave(<<1, 3>>, <<2, 4>>)
<<<<1>>, <<2>>, <<3>>, <<4>>>>

Interleave(<<1>>, <<>>)
%%FAIL Attempted to evaluate a CASE with no conditions true.

SubSeqs(<<1, 2>>)
{<<>>, <<1>>, <<2>>, <<1, 2>>}

SubSeqs(<<>>)
{<<>>}

SubSeqs(<<1, 2, 3>>)
{<<>>, <<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}

AllSubSeqs(<<1, 2, 3>>)
{<<>>, <<1>>, <<2>>, <<3>>, <<1, 2>>, <<1, 3>>, <<2, 3>>, <<1, 2, 3>>}

AllSubSeqs(<<>>)
{<<>>}

AllSubSeqs(<<1, 1>>)
{<<>>, <<1>>, <<1, 1>>}

AllSubSeqs(3)
%%FAIL The argument of AllSubSeqs should be a sequence, but instead it is: 3

IndexFirstSubSeq(<<1>>, <<1, 1, 1>>)
1

IndexFirstSubSeq(<<2, 3>>, <<1, 2, 3>>)
2

IndexFirstSubSeq(<<>>, <<1>>)
1

IndexFirstSubSeq(<<4>>, <<1, 2, 3>>)
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

ReplaceSubSeqAt(2, <<9, 9>>, <<2>>, <<1, 2, 3>>)
<<1, 9, 9, 3>>

ReplaceFirstSubSeq(<<4>>, <<>>, <<>>)
<<4>>

ReplaceFirstSubSeq(<<4>>, <<4>>, <<>>)
<<>>

ReplaceFirstSubSeq(<<4>>, <<>>, <<1, 2>>)
<<4, 1, 2>>

ReplaceFirstSubSeq(<<4>>, <<1>>, <<1, 2>>)
<<4, 2>>

ReplaceFirstSubSeq(<<4>>, <<1, 2>>, <<1, 2>>)
<<4>>

ReplaceFirstSubSeq(<<4, 4>>, <<3, 4>>, <<1, 2, 3, 4>>)
<<1, 2, 4, 4>>

ReplaceFirstSubSeq(<<4>>, <<4>>, <<1, 2, 3>>)
<<1, 2, 3>>

ReplaceFirstSubSeq("4", "12", "12312")
"4312"

ReplaceFirstSubSeq("4", "", "12")
"412"

ReplaceFirstSubSeq("4", "x", "12")
"12"

ReplaceFirstSubSeq("", "1", "121")
"21"

ReplaceAllSubSeqs(<<>>, <<>>, <<>>)
<<>>

ReplaceAllSubSeqs(<<4>>, <<>>, <<>>)
<<4>>

ReplaceAllSubSeqs(<<2>>, <<3>>, <<1, 3>>)
<<1, 2>>

ReplaceAllSubSeqs(<<2, 2>>, <<1, 1>>, <<1, 1, 1>>)
<<2, 2, 1>>

ReplaceAllSubSeqs(<<4>>, <<>>, <<1, 2>>)
<<4, 1, 4, 2>>

ReplaceAllSubSeqs(<<>>, <<1>>, <<1, 2>>)
<<2>>

ReplaceAllSubSeqs(<<1>>, <<1>>, <<1, 1, 2>>)
<<1, 1, 2>>

ReplaceAllSubSeqs(<<3>>, <<1>>, <<1, 2, 1>>)
<<3, 2, 3>>

ReplaceAllSubSeqs(<<4>>, <<5>>, <<1, 2>>)
<<1, 2>>

ReplaceAllSubSeqs("x", "1", "1121")
"xx2x"

ReplaceAllSubSeqs("x", "", "12")
"x1x2"

ReplaceAllSubSeqs("x", "", "")
"x"

ReplaceAllSubSeqs("", "1", "1121")
"2"

ReplaceAllSubSeqs("x", "11", "111")
"x1"

LongestCommonPrefix({"ab", "cb"})
""

LongestCommonPrefix({"abc", "abd", "ab"})
"ab"
