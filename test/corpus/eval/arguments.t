# Every operator of the modules that is written in C: once as it should be, and once with each argument of another kind.
%EXTENDS Integers, Sequences, SequencesExt, FiniteSets, FiniteSetsExt, Folds, Bags, BagsExt, Functions, Bitwise, TLC, TLCExt, Randomization

SubSeq(<<1,2,3>>,1,2)
<<1, 2>>

SubSeq(7,1,2)
%%FAIL The first argument of SubSeq should be a sequence, but inste

SubSeq(<<1,2,3>>,{8},2)
%%FAIL The second argument of SubSeq should be a natural number, bu

SubSeq(<<1,2,3>>,1,<<9>>)
%%FAIL The third argument of SubSeq should be a natural number, but

SelectSeq(<<1,2>>,LAMBDA a: a > 1)
<<2>>

SelectSeq(7,LAMBDA a: a > 1)
%%FAIL The first argument of SelectSeq should be a sequence, but in

SelectSeq({8},LAMBDA a: a > 1)
%%FAIL The first argument of SelectSeq should be a sequence, but in

Append(<<1>>,2)
<<1, 2>>

Append(7,2)
%%FAIL Evaluating an expression of the form Append(s, v) when s is

Append({8},2)
%%FAIL Evaluating an expression of the form Append(s, v) when s is

Append(<<1>>,"s")
<<1, "s">>

Append(<<1>>,<<9>>)
<<1, <<9>>>>

Head(<<1>>)
1

Head(7)
%%FAIL The argument of Head should be a sequence, but instead it is

Head("s")
%%FAIL The argument of Head should be a sequence, but instead it is

Head({8})
%%FAIL The argument of Head should be a sequence, but instead it is

Head([a |-> 1])
%%FAIL The argument of Head should be a sequence, but instead it is

Tail(<<1>>)
<<>>

Tail(7)
%%FAIL The argument of Tail should be a sequence, but instead it is

Tail("s")
""

Tail({8})
%%FAIL The argument of Tail should be a sequence, but instead it is

Tail([a |-> 1])
%%FAIL The argument of Tail should be a sequence, but instead it is

Len(<<1>>)
1

Len(7)
%%FAIL The argument of Len should be a sequence, but instead it is:

Len("s")
1

Len({8})
%%FAIL The argument of Len should be a sequence, but instead it is:

Len([a |-> 1])
%%FAIL The argument of Len should be a sequence, but instead it is:

Seq({1})
Seq({1})

Seq(7)
Seq(7)

Seq("s")
Seq("s")

Seq(<<9>>)
Seq(<<9>>)

Seq([a |-> 1])
Seq([a |-> 1])

<<1>> \o <<2>>
<<1, 2>>

7 \o <<2>>
%%FAIL Evaluating an expression of the form s \o t when s is not a

{8} \o <<2>>
%%FAIL Evaluating an expression of the form s \o t when s is not a

<<1>> \o 7
%%FAIL Evaluating an expression of the form t \o s when s is not a

<<1>> \o {8}
%%FAIL Evaluating an expression of the form t \o s when s is not a

SetToSeq({1})
<<1>>

SetToSeq(7)
%%FAIL The first argument of SetToSeq should be a set, but instead

SetToSeq("s")
%%FAIL The first argument of SetToSeq should be a set, but instead

SetToSeq(<<9>>)
%%FAIL The first argument of SetToSeq should be a set, but instead

SetToSeq([a |-> 1])
%%FAIL The first argument of SetToSeq should be a set, but instead

SetToSeqs({1})
{<<1>>}

SetToSeqs(7)
%%FAIL Applying SetToSeqs to the following value,

SetToSeqs("s")
%%FAIL Applying SetToSeqs to the following value,

SetToSeqs(<<9>>)
%%FAIL Applying SetToSeqs to the following value,

SetToSeqs([a |-> 1])
%%FAIL Applying SetToSeqs to the following value,

Contains(<<1>>,1)
TRUE

Contains(7,1)
%%FAIL The argument of Contains should be a sequence, but instead i

Contains({8},1)
%%FAIL The argument of Contains should be a sequence, but instead i

Contains(<<1>>,"s")
%%FAIL Attempted to check equality of integer 1 with non-integer:

Contains(<<1>>,<<9>>)
%%FAIL Attempted to check equality of integer 1 with non-integer:

Reverse(<<1,2>>)
<<2, 1>>

Reverse(7)
%%FAIL The argument of Len should be a sequence, but instead it is:

Reverse("s")
%%FAIL The argument of Len should be a sequence, but instead it is:

Reverse({8})
%%FAIL The argument of Len should be a sequence, but instead it is:

Reverse([a |-> 1])
%%FAIL The argument of Len should be a sequence, but instead it is:

SelectInSeq(<<1>>,LAMBDA a: a = 1)
1

SelectInSeq(7,LAMBDA a: a = 1)
%%FAIL The first argument of SelectInSeq should be a sequence, but

SelectInSeq({8},LAMBDA a: a = 1)
%%FAIL The first argument of SelectInSeq should be a sequence, but

SelectLastInSeq(<<1>>,LAMBDA a: a = 1)
1

SelectLastInSeq(7,LAMBDA a: a = 1)
%%FAIL The first argument of SelectLastInSeq should be a sequence,

SelectLastInSeq({8},LAMBDA a: a = 1)
%%FAIL The first argument of SelectLastInSeq should be a sequence,

SelectInSubSeq(<<1,2,1>>,2,3,LAMBDA a: a = 1)
3

SelectInSubSeq(7,2,3,LAMBDA a: a = 1)
%%FAIL The first argument of SelectInSubSeq should be a sequence, b

SelectInSubSeq(<<1,2,1>>,{8},3,LAMBDA a: a = 1)
%%FAIL The second argument of SelectInSubSeq should be a natural, b

SelectInSubSeq(<<1,2,1>>,2,<<9>>,LAMBDA a: a = 1)
%%FAIL The third argument of SelectInSubSeq should be a natural, bu

SelectLastInSubSeq(<<1,2,1>>,1,2,LAMBDA a: a = 1)
1

SelectLastInSubSeq(7,1,2,LAMBDA a: a = 1)
%%FAIL The first argument of SelectLastInSubSeq should be a sequenc

SelectLastInSubSeq(<<1,2,1>>,{8},2,LAMBDA a: a = 1)
%%FAIL The second argument of SelectLastInSubSeq should be a natura

SelectLastInSubSeq(<<1,2,1>>,1,<<9>>,LAMBDA a: a = 1)
%%FAIL The third argument of SelectLastInSubSeq should be a natural

RemoveFirst(<<1,2,1>>,1)
<<2, 1>>

RemoveFirst(7,1)
%%FAIL The first argument of RemoveFirst should be a sequence, but

RemoveFirst({8},1)
%%FAIL The first argument of RemoveFirst should be a sequence, but

RemoveFirst(<<1,2,1>>,"s")
%%FAIL Attempted to check equality of integer 1 with non-integer:

RemoveFirst(<<1,2,1>>,<<9>>)
%%FAIL Attempted to check equality of integer 1 with non-integer:

RemoveFirstMatch(<<1,2,1>>,LAMBDA a: a = 2)
<<1, 1>>

RemoveFirstMatch(7,LAMBDA a: a = 2)
%%FAIL The first argument of RemoveFirstMatch should be a sequence,

RemoveFirstMatch({8},LAMBDA a: a = 2)
%%FAIL The first argument of RemoveFirstMatch should be a sequence,

IsPrefix(<<1>>,<<1,2>>)
TRUE

IsPrefix(7,<<1,2>>)
%%FAIL The first argument of IsPrefix should be a sequence, but ins

IsPrefix({8},<<1,2>>)
%%FAIL The first argument of IsPrefix should be a sequence, but ins

IsPrefix(<<1>>,7)
%%FAIL The second argument of IsPrefix should be a sequence, but in

IsPrefix(<<1>>,{8})
%%FAIL The second argument of IsPrefix should be a sequence, but in

LongestCommonPrefix({<<1,2>>,<<1,3>>})
<<1>>

LongestCommonPrefix(7)
%%FAIL The argument of LongestCommonPrefix should be a non-empty se

LongestCommonPrefix("s")
%%FAIL The argument of LongestCommonPrefix should be a non-empty se

LongestCommonPrefix(<<9>>)
%%FAIL The argument of LongestCommonPrefix should be a non-empty se

LongestCommonPrefix([a |-> 1])
%%FAIL The argument of LongestCommonPrefix should be a non-empty se

Suffixes(<<1,2>>)
{<<>>, <<2>>, <<1, 2>>}

Suffixes(7)
%%FAIL The argument of Suffixes should be a sequence, but instead i

Suffixes("s")
%%FAIL The argument of Suffixes should be a sequence, but instead i

Suffixes({8})
%%FAIL The argument of Suffixes should be a sequence, but instead i

Suffixes([a |-> 1])
%%FAIL The argument of Suffixes should be a sequence, but instead i

FoldSeq(LAMBDA a,b: a+b,0,<<1,2>>)
3

FoldSeq(LAMBDA a,b: a+b,{8},<<1,2>>)
%%FAIL The second argument of + should be an integer, but instead i

FoldSeq(LAMBDA a,b: a+b,0,{8})
%%FAIL The third argument of FoldFunction should be a function, but

FoldLeft(LAMBDA a,b: a-b,0,<<1,2>>)
-3

FoldLeft(LAMBDA a,b: a-b,{8},<<1,2>>)
%%FAIL The first argument of - should be an integer, but instead it

FoldLeft(LAMBDA a,b: a-b,0,{8})
%%FAIL The third argument of FoldLeft should be a sequence, but ins

FoldRight(LAMBDA a,b: a-b,<<1,2>>,0)
-1

FoldRight(LAMBDA a,b: a-b,"s",0)
%%FAIL The second argument of FoldRight should be a sequence, but i

FoldRight(LAMBDA a,b: a-b,<<1,2>>,<<9>>)
%%FAIL The second argument of - should be an integer, but instead i

FoldLeftDomain(LAMBDA a,b: a-b,0,<<1,2>>)
-3

FoldLeftDomain(LAMBDA a,b: a-b,{8},<<1,2>>)
%%FAIL The first argument of - should be an integer, but instead it

FoldLeftDomain(LAMBDA a,b: a-b,0,{8})
%%FAIL The third argument of FoldLeftDomain should be a sequence, b

FoldRightDomain(LAMBDA a,b: a-b,<<1,2>>,0)
-1

FoldRightDomain(LAMBDA a,b: a-b,"s",0)
%%FAIL The second argument of FoldRightDomain should be a sequence,

FoldRightDomain(LAMBDA a,b: a-b,<<1,2>>,<<9>>)
%%FAIL The second argument of - should be an integer, but instead i

IndexFirstSubSeq(<<2>>,<<1,2>>)
2

IndexFirstSubSeq(7,<<1,2>>)
%%FAIL The first argument of IndexFirstSubSeq should be a sequence,

IndexFirstSubSeq({8},<<1,2>>)
%%FAIL The first argument of IndexFirstSubSeq should be a sequence,

IndexFirstSubSeq(<<2>>,7)
%%FAIL The second argument of IndexFirstSubSeq should be a sequence

IndexFirstSubSeq(<<2>>,{8})
%%FAIL The second argument of IndexFirstSubSeq should be a sequence

ReplaceFirstSubSeq(<<9>>,<<2>>,<<1,2,2>>)
<<1, 9, 2>>

ReplaceFirstSubSeq(7,<<2>>,<<1,2,2>>)
%%FAIL The first argument of ReplaceFirstSubSeq should be a sequenc

ReplaceFirstSubSeq(<<9>>,"s",<<1,2,2>>)
%%FAIL The second argument of ReplaceFirstSubSeq should be a sequen

ReplaceFirstSubSeq(<<9>>,<<2>>,{8})
%%FAIL The third argument of ReplaceFirstSubSeq should be a sequenc

ReplaceAllSubSeqs(<<9>>,<<2>>,<<1,2,2>>)
<<1, 9, 9>>

ReplaceAllSubSeqs(7,<<2>>,<<1,2,2>>)
%%FAIL The first argument of ReplaceAllSubSeqs should be a sequence

ReplaceAllSubSeqs(<<9>>,"s",<<1,2,2>>)
%%FAIL The second argument of ReplaceAllSubSeqs should be a sequenc

ReplaceAllSubSeqs(<<9>>,<<2>>,{8})
%%FAIL The third argument of ReplaceAllSubSeqs should be a sequence

ReplaceFirstSubSeq("x","b","abcb")
"axcb"

ReplaceFirstSubSeq(7,"b","abcb")
%%FAIL The first argument of ReplaceFirstSubSeq should be a sequenc

ReplaceFirstSubSeq("x",{8},"abcb")
%%FAIL The second argument of ReplaceFirstSubSeq should be a sequen

ReplaceFirstSubSeq("x","b",<<9>>)
%%FAIL The first argument of ReplaceFirstSubSeq should be a sequenc

ReplaceAllSubSeqs("x","b","abcb")
"axcx"

ReplaceAllSubSeqs(7,"b","abcb")
%%FAIL The first argument of ReplaceAllSubSeqs should be a sequence

ReplaceAllSubSeqs("x",{8},"abcb")
%%FAIL The second argument of ReplaceAllSubSeqs should be a sequenc

ReplaceAllSubSeqs("x","b",<<9>>)
%%FAIL The first argument of ReplaceAllSubSeqs should be a sequence

IndexFirstSubSeq("b","ab")
2

IndexFirstSubSeq(7,"ab")
%%FAIL The first argument of IndexFirstSubSeq should be a sequence,

IndexFirstSubSeq(<<9>>,"ab")
%%FAIL The first argument of IndexFirstSubSeq should be a string, b

IndexFirstSubSeq("b",7)
%%FAIL The second argument of IndexFirstSubSeq should be a sequence

IndexFirstSubSeq("b",<<9>>)
%%FAIL The first argument of IndexFirstSubSeq should be a sequence,

FlattenSeq(<<<<1>>,<<2>>>>)
<<1, 2>>

FlattenSeq(7)
%%FAIL The argument of Len should be a sequence, but instead it is:

FlattenSeq("s")
%%FAIL The argument of Len should be a sequence, but instead it is:

FlattenSeq({8})
%%FAIL The argument of Len should be a sequence, but instead it is:

FlattenSeq([a |-> 1])
%%FAIL The argument of Len should be a sequence, but instead it is:

AllSubSeqs(<<1,2>>)
{<<>>, <<1>>, <<2>>, <<1, 2>>}

AllSubSeqs(7)
%%FAIL The argument of AllSubSeqs should be a sequence, but instead

AllSubSeqs("s")
%%FAIL The argument of AllSubSeqs should be a sequence, but instead

AllSubSeqs({8})
%%FAIL The argument of AllSubSeqs should be a sequence, but instead

AllSubSeqs([a |-> 1])
%%FAIL The argument of AllSubSeqs should be a sequence, but instead

IsFiniteSet({1})
TRUE

IsFiniteSet(7)
%%FAIL Attempted to check if the integer 7 is a finite set.

IsFiniteSet("s")
%%FAIL Attempted to check if the string "s" is a finite set.

IsFiniteSet(<<9>>)
TRUE

IsFiniteSet([a |-> 1])
TRUE

Cardinality({1})
1

Cardinality(7)
%%FAIL Attempted to compute cardinality of the value

Cardinality("s")
%%FAIL Attempted to compute cardinality of the value

Cardinality(<<9>>)
%%FAIL Attempted to compute cardinality of the value

Cardinality([a |-> 1])
%%FAIL Attempted to compute cardinality of the value

MapThenFoldSet(LAMBDA a,b: a+b,0,LAMBDA a: a,LAMBDA S: CHOOSE e \in S: TRUE,{1,2})
3

MapThenFoldSet(LAMBDA a,b: a+b,{8},LAMBDA a: a,LAMBDA S: CHOOSE e \in S: TRUE,{1,2})
%%FAIL The second argument of + should be an integer, but instead i

MapThenFoldSet(LAMBDA a,b: a+b,0,LAMBDA a: a,LAMBDA S: CHOOSE e \in S: TRUE,7)
%%FAIL The fifth argument of MapThenFoldSet should be a set, but in

FoldSet(LAMBDA a,b: a+b,0,{1,2})
3

FoldSet(LAMBDA a,b: a+b,{8},{1,2})
%%FAIL The second argument of + should be an integer, but instead i

FoldSet(LAMBDA a,b: a+b,0,<<9>>)
%%FAIL The third argument of FoldSet should be a set, but instead i

ReduceSet(LAMBDA a,b: a+b,{1,2},0)
3

ReduceSet(LAMBDA a,b: a+b,"s",0)
%%FAIL The third argument of ReduceSet should be a set, but instead

ReduceSet(LAMBDA a,b: a+b,{1,2},<<9>>)
%%FAIL The second argument of + should be an integer, but instead i

SumSet({1,2})
3

SumSet(7)
%%FAIL The third argument of FoldSet should be a set, but instead i

SumSet("s")
%%FAIL The third argument of FoldSet should be a set, but instead i

SumSet(<<9>>)
%%FAIL The third argument of FoldSet should be a set, but instead i

SumSet([a |-> 1])
%%FAIL The third argument of FoldSet should be a set, but instead i

ProductSet({1,2})
2

ProductSet(7)
%%FAIL The third argument of FoldSet should be a set, but instead i

ProductSet("s")
%%FAIL The third argument of FoldSet should be a set, but instead i

ProductSet(<<9>>)
%%FAIL The third argument of FoldSet should be a set, but instead i

ProductSet([a |-> 1])
%%FAIL The third argument of FoldSet should be a set, but instead i

MapThenSumSet(LAMBDA a: a*a,{1,2})
5

MapThenSumSet(LAMBDA a: a*a,7)
%%FAIL The third argument of MapThenSumSet should be a set, but ins

MapThenSumSet(LAMBDA a: a*a,<<9>>)
%%FAIL The third argument of MapThenSumSet should be a set, but ins

Quantify({1,2},LAMBDA a: a = 1)
1

Quantify(7,LAMBDA a: a = 1)
%%FAIL The first argument of Quantify should be a set, but instead

Quantify(<<9>>,LAMBDA a: a = 1)
%%FAIL The first argument of Quantify should be a set, but instead

kSubset(2,{1,2,3})
{{1, 2}, {1, 3}, {2, 3}}

kSubset("s",{1,2,3})
%%FAIL The first argument of kSubset should be a natural number, bu

kSubset(<<9>>,{1,2,3})
%%FAIL The first argument of kSubset should be a natural number, bu

kSubset(2,7)
%%FAIL The second argument of kSubset should be a set, but instead

kSubset(2,<<9>>)
%%FAIL The second argument of kSubset should be a set, but instead

Max({1,2})
2

Max(7)
%%FAIL Attempted to compute the value of an expression of

Max("s")
%%FAIL Attempted to compute the value of an expression of

Max(<<9>>)
%%FAIL Attempted to compute the value of an expression of

Max([a |-> 1])
%%FAIL Attempted to compute the value of an expression of

Min({1,2})
1

Min(7)
%%FAIL Attempted to compute the value of an expression of

Min("s")
%%FAIL Attempted to compute the value of an expression of

Min(<<9>>)
%%FAIL Attempted to compute the value of an expression of

Min([a |-> 1])
%%FAIL Attempted to compute the value of an expression of

Choices({{1},{2,3}})
{{1, 2}, {1, 3}}

Choices(7)
%%FAIL TLC encountered a non-enumerable quantifier bound

Choices("s")
%%FAIL TLC encountered a non-enumerable quantifier bound

Choices(<<9>>)
%%FAIL TLC encountered a non-enumerable quantifier bound

Choices([a |-> 1])
%%FAIL TLC encountered a non-enumerable quantifier bound

ChooseUnique({1,2},LAMBDA a: a = 1)
1

ChooseUnique(7,LAMBDA a: a = 1)
%%FAIL Attempted to compute the value of an expression of

ChooseUnique(<<9>>,LAMBDA a: a = 1)
%%FAIL Attempted to compute the value of an expression of

Range(<<1>>)
{1}

Range(7)
%%FAIL Attempted to apply the operator DOMAIN to a non-function

Range("s")
%%FAIL Attempted to apply the operator DOMAIN to a non-function

Range({8})
%%FAIL Attempted to apply the operator DOMAIN to a non-function

Range([a |-> 1])
{1}

IsInjective(<<1,2>>)
TRUE

IsInjective(7)
%%FAIL The argument of IsInjective should be a function, but instea

IsInjective("s")
%%FAIL The argument of IsInjective should be a function, but instea

IsInjective({8})
%%FAIL The argument of IsInjective should be a function, but instea

IsInjective([a |-> 1])
TRUE

AntiFunction(<<4,5>>)
(4 :> 1 @@ 5 :> 2)

AntiFunction(7)
%%FAIL The argument of AntiFunction should be a functions, but inst

AntiFunction("s")
%%FAIL The argument of AntiFunction should be a functions, but inst

AntiFunction({8})
%%FAIL The argument of AntiFunction should be a functions, but inst

AntiFunction([a |-> 1])
<<"a">>

ExistsInjection({1},{2})
TRUE

ExistsInjection(7,{2})
%%FAIL Attempted to compute cardinality of the value

ExistsInjection(<<9>>,{2})
%%FAIL Attempted to compute cardinality of the value

ExistsInjection({1},7)
%%FAIL Attempted to compute cardinality of the value

ExistsInjection({1},<<9>>)
%%FAIL Attempted to compute cardinality of the value

ExistsSurjection({1},{2})
TRUE

ExistsSurjection(7,{2})
%%FAIL Attempted to compute cardinality of the value

ExistsSurjection(<<9>>,{2})
%%FAIL Attempted to compute cardinality of the value

ExistsSurjection({1},7)
%%FAIL Attempted to compute cardinality of the value

ExistsSurjection({1},<<9>>)
%%FAIL Attempted to compute cardinality of the value

ExistsBijection({1},{2})
TRUE

ExistsBijection(7,{2})
%%FAIL Attempted to compute cardinality of the value

ExistsBijection(<<9>>,{2})
%%FAIL Attempted to compute cardinality of the value

ExistsBijection({1},7)
%%FAIL Attempted to compute cardinality of the value

ExistsBijection({1},<<9>>)
%%FAIL Attempted to compute cardinality of the value

FoldFunction(LAMBDA a,b: a+b,0,<<1,2>>)
3

FoldFunction(LAMBDA a,b: a+b,{8},<<1,2>>)
%%FAIL The second argument of + should be an integer, but instead i

FoldFunction(LAMBDA a,b: a+b,0,{8})
%%FAIL The third argument of FoldFunction should be a function, but

FoldFunctionOnSet(LAMBDA a,b: a+b,0,<<1,2>>,{1})
1

FoldFunctionOnSet(LAMBDA a,b: a+b,{8},<<1,2>>,{1})
%%FAIL The second argument of + should be an integer, but instead i

FoldFunctionOnSet(LAMBDA a,b: a+b,0,{8},{1})
%%FAIL The third argument of FoldFunctionOnSet should be a function

FoldFunctionOnSet(LAMBDA a,b: a+b,0,<<1,2>>,[a |-> 1])
%%FAIL The fourth argument of FoldFunctionOnSet should be a set, bu

SumFunction(<<1,2>>)
3

SumFunction(7)
%%FAIL Attempted to apply the operator DOMAIN to a non-function

SumFunction("s")
%%FAIL Attempted to apply the operator DOMAIN to a non-function

SumFunction({8})
%%FAIL Attempted to apply the operator DOMAIN to a non-function

SumFunction([a |-> 1])
1

SumFunctionOnSet(<<1,2>>,{1})
1

SumFunctionOnSet(7,{1})
%%FAIL The third argument of FoldFunctionOnSet should be a function

SumFunctionOnSet({8},{1})
%%FAIL The third argument of FoldFunctionOnSet should be a function

SumFunctionOnSet(<<1,2>>,7)
%%FAIL The fourth argument of FoldFunctionOnSet should be a set, bu

SumFunctionOnSet(<<1,2>>,<<9>>)
%%FAIL The fourth argument of FoldFunctionOnSet should be a set, bu

IsABag(<<1>>)
TRUE

IsABag(7)
FALSE

IsABag("s")
FALSE

IsABag({8})
FALSE

IsABag([a |-> 1])
TRUE

BagCardinality(<<2>>)
2

BagCardinality(7)
%%FAIL Applying BagCardinality to the following value,

BagCardinality("s")
%%FAIL Applying BagCardinality to the following value,

BagCardinality({8})
%%FAIL Applying BagCardinality to the following value,

BagCardinality([a |-> 1])
1

BagIn(1,<<2>>)
TRUE

BagIn("s",<<2>>)
%%FAIL Attempted to access tuple at a non integral index: "s"

BagIn(<<9>>,<<2>>)
%%FAIL Attempted to access tuple at a non integral index: <<9>>

BagIn(1,7)
%%FAIL Applying BagIn to the following value,

BagIn(1,{8})
%%FAIL Applying BagIn to the following value,

CopiesIn(1,<<2>>)
2

CopiesIn("s",<<2>>)
%%FAIL Attempted to access tuple at a non integral index: "s"

CopiesIn(<<9>>,<<2>>)
%%FAIL Attempted to access tuple at a non integral index: <<9>>

CopiesIn(1,7)
%%FAIL Applying CopiesIn to the following value,

CopiesIn(1,{8})
%%FAIL Applying CopiesIn to the following value,

BagToSet(<<2>>)
1..1

BagToSet(7)
%%FAIL Applying BagToSet to the following value,

BagToSet("s")
%%FAIL Applying BagToSet to the following value,

BagToSet({8})
%%FAIL Applying BagToSet to the following value,

BagToSet([a |-> 1])
{"a"}

SetToBag({1})
<<1>>

SetToBag(7)
%%FAIL Applying BagToSet to the following value,

SetToBag("s")
%%FAIL Applying BagToSet to the following value,

SetToBag(<<9>>)
%%FAIL Applying BagToSet to the following value,

SetToBag([a |-> 1])
%%FAIL Applying BagToSet to the following value,

<<1>> (+) <<2>>
<<3>>

7 (+) <<2>>
%%FAIL The first argument of (+) should be a bag, but instead it is

{8} (+) <<2>>
%%FAIL The first argument of (+) should be a bag, but instead it is

<<1>> (+) 7
%%FAIL The second argument of (+) should be a bag, but instead it i

<<1>> (+) {8}
%%FAIL The second argument of (+) should be a bag, but instead it i

<<3>> (-) <<1>>
<<2>>

7 (-) <<1>>
%%FAIL The first argument of (-) should be a bag, but instead it is

{8} (-) <<1>>
%%FAIL The first argument of (-) should be a bag, but instead it is

<<3>> (-) 7
%%FAIL The second argument of (-) should be a bag, but instead it i

<<3>> (-) {8}
%%FAIL The second argument of (-) should be a bag, but instead it i

<<1>> \sqsubseteq <<2>>
TRUE

7 \sqsubseteq <<2>>
%%FAIL Applying \sqsubseteq to the following value,

{8} \sqsubseteq <<2>>
%%FAIL Applying \sqsubseteq to the following value,

<<1>> \sqsubseteq 7
%%FAIL Applying \sqsubseteq to the following value,

<<1>> \sqsubseteq {8}
%%FAIL Applying \sqsubseteq to the following value,

BagUnion({<<1>>})
<<1>>

BagUnion(7)
%%FAIL Applying BagUnion to the following value,

BagUnion("s")
%%FAIL Applying BagUnion to the following value,

BagUnion(<<9>>)
%%FAIL Applying BagUnion to the following value,

BagUnion([a |-> 1])
%%FAIL Applying BagUnion to the following value,

BagOfAll(LAMBDA a: a \div 2,<<1,1,1>>)
(0 :> 1 @@ 1 :> 2)

BagOfAll(LAMBDA a: a \div 2,7)
%%FAIL The second argument of BagOfAll should be a function with a

BagOfAll(LAMBDA a: a \div 2,{8})
%%FAIL The second argument of BagOfAll should be a function with a

SubBag(<<1,1>>)
{<<>>, <<1>>, (2 :> 1), <<1, 1>>}

SubBag(7)
%%FAIL Applying SubBag to the following value,

SubBag("s")
%%FAIL Applying SubBag to the following value,

SubBag({8})
%%FAIL Applying SubBag to the following value,

SubBag([a |-> 1])
{<<>>, [a |-> 1]}

BagAdd(<<1>>,1)
<<2>>

BagAdd(7,1)
%%FAIL Applying BagAdd to the following value,

BagAdd({8},1)
%%FAIL Applying BagAdd to the following value,

BagAdd(<<1>>,"s")
%%FAIL Attempted to compare integer 1 with non-integer:

BagAdd(<<1>>,<<9>>)
%%FAIL Attempted to compare integer 1 with non-integer:

BagRemove(<<1>>,1)
<<>>

BagRemove(7,1)
%%FAIL Applying BagRemove to the following value,

BagRemove({8},1)
%%FAIL Applying BagRemove to the following value,

BagRemove(<<1>>,"s")
%%FAIL Attempted to access tuple at a non integral index: "s"

BagRemove(<<1>>,<<9>>)
%%FAIL Attempted to access tuple at a non integral index: <<9>>

BagRemoveAll(<<2>>,1)
<<>>

BagRemoveAll(7,1)
%%FAIL Applying BagRemoveAll to the following value,

BagRemoveAll({8},1)
%%FAIL Applying BagRemoveAll to the following value,

BagRemoveAll(<<2>>,"s")
%%FAIL Attempted to access tuple at a non integral index: "s"

BagRemoveAll(<<2>>,<<9>>)
%%FAIL Attempted to access tuple at a non integral index: <<9>>

FoldBag(LAMBDA a,b: a+b,0,<<1,2>>)
5

FoldBag(LAMBDA a,b: a+b,{8},<<1,2>>)
%%FAIL The first argument of + should be an integer, but instead it

FoldBag(LAMBDA a,b: a+b,0,{8})
%%FAIL The third argument of FoldBag should be a bag, but instead i

SumBag(<<1,2>>)
5

SumBag(7)
%%FAIL The third argument of FoldBag should be a bag, but instead i

SumBag("s")
%%FAIL The third argument of FoldBag should be a bag, but instead i

SumBag({8})
%%FAIL The third argument of FoldBag should be a bag, but instead i

SumBag([a |-> 1])
%%FAIL The second argument of + should be an integer, but instead i

ProductBag(<<1,2>>)
4

ProductBag(7)
%%FAIL The third argument of FoldBag should be a bag, but instead i

ProductBag("s")
%%FAIL The third argument of FoldBag should be a bag, but instead i

ProductBag({8})
%%FAIL The third argument of FoldBag should be a bag, but instead i

ProductBag([a |-> 1])
%%FAIL The second argument of * should be an integer, but instead i

ToString(1)
"1"

ToString("s")
"\"s\""

ToString({8})
"{8}"

ToString(<<9>>)
"<<9>>"

ToString([a |-> 1])
"[a |-> 1]"

Assert(TRUE,"no")
TRUE

Assert(7,"no")
%%FAIL The first argument of Assert evaluated to FALSE; the second

Assert(<<9>>,"no")
%%FAIL The first argument of Assert evaluated to FALSE; the second

Assert(TRUE,7)
TRUE

Assert(TRUE,<<9>>)
TRUE

1 :> 2
<<2>>

"s" :> 2
[s |-> 2]

<<9>> :> 2
(<<9>> :> 2)

1 :> "s"
<<"s">>

1 :> <<9>>
<<<<9>>>>

<<1>> @@ <<2,3>>
<<1, 3>>

7 @@ <<2,3>>
%%FAIL The first argument of @@ should be a function, but instead i

{8} @@ <<2,3>>
%%FAIL The first argument of @@ should be a function, but instead i

<<1>> @@ 7
%%FAIL The second argument of @@ should be a function, but instead

<<1>> @@ {8}
%%FAIL The second argument of @@ should be a function, but instead

Permutations({1,2})
{<<1, 2>>, <<2, 1>>}

Permutations(7)
%%FAIL Applying Permutations to the following value,

Permutations("s")
%%FAIL Applying Permutations to the following value,

Permutations(<<9>>)
%%FAIL Applying Permutations to the following value,

Permutations([a |-> 1])
%%FAIL Applying Permutations to the following value,

SortSeq(<<2,1>>,LAMBDA a,b: a < b)
<<1, 2>>

SortSeq(7,LAMBDA a,b: a < b)
%%FAIL The first argument of SortSeq should be a natural number, bu

SortSeq({8},LAMBDA a,b: a < b)
%%FAIL The first argument of SortSeq should be a natural number, bu

TLCModelValue("m")
m

TLCModelValue(7)
%%FAIL The argument of ModelValue should be a string, but instead i

TLCModelValue({8})
%%FAIL The argument of ModelValue should be a string, but instead i

TLCModelValue(<<9>>)
%%FAIL The argument of ModelValue should be a string, but instead i

TLCModelValue([a |-> 1])
%%FAIL The argument of ModelValue should be a string, but instead i

TLCGet(1)
%%FAIL TLCGet(1) was undefined.

TLCGet("s")
%%FAIL TLCGet(s) was undefined.

TLCGet({8})
%%FAIL The argument of TLCGet should be a nonnegative integer, but

TLCGet(<<9>>)
%%FAIL The argument of TLCGet should be a nonnegative integer, but

TLCGet([a |-> 1])
%%FAIL The argument of TLCGet should be a nonnegative integer, but

TLCSet(1,2)
TRUE

TLCSet("s",2)
%%FAIL The first argument of TLCSet should be a nonnegative integer

TLCSet(<<9>>,2)
%%FAIL The first argument of TLCSet should be a nonnegative integer

TLCSet(1,"s")
TRUE

TLCSet(1,<<9>>)
TRUE

TLCGetOrDefault(1,2)
2

TLCGetOrDefault("s",2)
2

TLCGetOrDefault(<<9>>,2)
2

TLCGetOrDefault(1,"s")
"s"

TLCGetOrDefault(1,<<9>>)
<<9>>

TLCGetAndSet(1,LAMBDA a,b: a+b,2,3)
3

TLCGetAndSet("s",LAMBDA a,b: a+b,2,3)
%%FAIL The first argument of TLCSet should be a nonnegative integer

TLCGetAndSet(1,LAMBDA a,b: a+b,<<9>>,3)
%%FAIL The second argument of + should be an integer, but instead i

TLCGetAndSet(1,LAMBDA a,b: a+b,2,[a |-> 1])
%%FAIL The first argument of + should be an integer, but instead it

RandomElement({1})
1

RandomElement(7)
%%FAIL Applying RandomElement to the following value,

RandomElement("s")
%%FAIL Applying RandomElement to the following value,

RandomElement(<<9>>)
%%FAIL Applying RandomElement to the following value,

RandomElement([a |-> 1])
%%FAIL Applying RandomElement to the following value,

RandomSubset(1,{1})
{1}

RandomSubset("s",{1})
%%FAIL The first argument of RandomSubset should be a nonnegative i

RandomSubset(<<9>>,{1})
%%FAIL The first argument of RandomSubset should be a nonnegative i

RandomSubset(1,7)
%%FAIL The second argument of RandomSubset should be a a finite set

RandomSubset(1,<<9>>)
%%FAIL The second argument of RandomSubset should be a a finite set

RandomSetOfSubsets(1,1,{1})
{{1}}

RandomSetOfSubsets("s",1,{1})
%%FAIL The first argument of RandomSetOfSubsets should be a nonnega

RandomSetOfSubsets(1,{8},{1})
%%FAIL The second argument of RandomSetOfSubsets should be a nonneg

RandomSetOfSubsets(1,1,<<9>>)
%%FAIL The third argument of RandomSetOfSubsets should be a finite

6 & 3
2

"s" & 3
%%FAIL The first argument of & should be an integer, but instead it

<<9>> & 3
%%FAIL The first argument of & should be an integer, but instead it

6 & "s"
%%FAIL The second argument of & should be an integer, but instead i

6 & <<9>>
%%FAIL The second argument of & should be an integer, but instead i

6 | 3
7

"s" | 3
%%FAIL The first argument of | should be an integer, but instead it

<<9>> | 3
%%FAIL The first argument of | should be an integer, but instead it

6 | "s"
%%FAIL The second argument of | should be an integer, but instead i

6 | <<9>>
%%FAIL The second argument of | should be an integer, but instead i

6 ^^ 3
5

"s" ^^ 3
%%FAIL The first argument of ^^ should be an integer, but instead i

<<9>> ^^ 3
%%FAIL The first argument of ^^ should be an integer, but instead i

6 ^^ "s"
%%FAIL The second argument of ^^ should be an integer, but instead

6 ^^ <<9>>
%%FAIL The second argument of ^^ should be an integer, but instead

Not(6)
1

Not("s")
%%FAIL The first argument of Not should be an integer, but instead

Not({8})
%%FAIL The first argument of Not should be an integer, but instead

Not(<<9>>)
%%FAIL The first argument of Not should be an integer, but instead

Not([a |-> 1])
%%FAIL The first argument of Not should be an integer, but instead

shiftR(6,1)
3

shiftR("s",1)
%%FAIL The first argument of shiftR should be an integer, but inste

shiftR(<<9>>,1)
%%FAIL The first argument of shiftR should be an integer, but inste

shiftR(6,"s")
%%FAIL The second argument of shiftR should be a natural number, bu

shiftR(6,<<9>>)
%%FAIL The second argument of shiftR should be a natural number, bu

2 ^ 3
8

"s" ^ 3
%%FAIL The first argument of ^ should be an integer, but instead it

<<9>> ^ 3
%%FAIL The first argument of ^ should be an integer, but instead it

2 ^ "s"
%%FAIL The second argument of ^ should be an integer, but instead i

2 ^ <<9>>
%%FAIL The second argument of ^ should be an integer, but instead i

7 % 3
1

"s" % 3
%%FAIL The first argument of % should be an integer, but instead it

<<9>> % 3
%%FAIL The first argument of % should be an integer, but instead it

7 % "s"
%%FAIL The second argument of % should be an integer, but instead i

7 % <<9>>
%%FAIL The second argument of % should be an integer, but instead i

7 \div 3
2

"s" \div 3
%%FAIL The first argument of \div should be an integer, but instead

<<9>> \div 3
%%FAIL The first argument of \div should be an integer, but instead

7 \div "s"
%%FAIL The second argument of \div should be an integer, but instea

7 \div <<9>>
%%FAIL The second argument of \div should be an integer, but instea

7 - 3
4

"s" - 3
%%FAIL The first argument of - should be an integer, but instead it

<<9>> - 3
%%FAIL The first argument of - should be an integer, but instead it

7 - "s"
%%FAIL The second argument of - should be an integer, but instead i

7 - <<9>>
%%FAIL The second argument of - should be an integer, but instead i

-7
-7

-"s"
%%FAIL The first argument of -. should be an integer, but instead i

-{8}
%%FAIL The first argument of -. should be an integer, but instead i

-<<9>>
%%FAIL The first argument of -. should be an integer, but instead i

-[a |-> 1]
%%FAIL The first argument of -. should be an integer, but instead i

1..3
1..3

"s"..3
%%FAIL The first argument of .. should be an integer, but instead i

<<9>>..3
%%FAIL The first argument of .. should be an integer, but instead i

1.."s"
%%FAIL The second argument of .. should be an integer, but instead

1..<<9>>
%%FAIL The second argument of .. should be an integer, but instead

2 * 3
6

"s" * 3
%%FAIL The first argument of * should be an integer, but instead it

<<9>> * 3
%%FAIL The first argument of * should be an integer, but instead it

2 * "s"
%%FAIL The second argument of * should be an integer, but instead i

2 * <<9>>
%%FAIL The second argument of * should be an integer, but instead i

2 < 3
TRUE

"s" < 3
%%FAIL The first argument of < should be an integer, but instead it

<<9>> < 3
%%FAIL The first argument of < should be an integer, but instead it

2 < "s"
%%FAIL The second argument of < should be an integer, but instead i

2 < <<9>>
%%FAIL The second argument of < should be an integer, but instead i

2 >= 3
FALSE

"s" >= 3
%%FAIL The first argument of >= should be an integer, but instead i

<<9>> >= 3
%%FAIL The first argument of >= should be an integer, but instead i

2 >= "s"
%%FAIL The second argument of >= should be an integer, but instead

2 >= <<9>>
%%FAIL The second argument of >= should be an integer, but instead

%EXTENDS Integers, TLC, Combinatorics

choose(5,2)
10

choose("s",2)
%%FAIL The first argument of choose should be a natural number, but

choose(<<9>>,2)
%%FAIL The first argument of choose should be a natural number, but

choose(5,"s")
%%FAIL The second argument of choose should be a natural number, bu

choose(5,<<9>>)
%%FAIL The second argument of choose should be a natural number, bu

%EXTENDS Integers, TLC, DyadicRationals

IsDyadicRational([num |-> 1, den |-> 2])
TRUE

IsDyadicRational(7)
%%FAIL A non-function (an integer) was applied as a function.

IsDyadicRational("s")
%%FAIL A non-function (a string) was applied as a function.

IsDyadicRational({8})
%%FAIL A non-function (a set of the form {e1, ... ,eN}) was applied

IsDyadicRational(<<9>>)
%%FAIL Attempted to access tuple at a non integral index: "den"

Add([num |-> 1, den |-> 2],[num |-> 1, den |-> 4])
[num |-> 3, den |-> 4]

Add(7,[num |-> 1, den |-> 4])
%%FAIL The argument of Add should be a record, but instead it is:

Add({8},[num |-> 1, den |-> 4])
%%FAIL The argument of Add should be a record, but instead it is:

Add([num |-> 1, den |-> 2],7)
%%FAIL The argument of Add should be a record, but instead it is:

Add([num |-> 1, den |-> 2],{8})
%%FAIL The argument of Add should be a record, but instead it is:

Half([num |-> 1, den |-> 2])
[num |-> 1, den |-> 4]

Half(7)
%%FAIL The argument of Half should be a record, but instead it is:

Half("s")
%%FAIL The argument of Half should be a record, but instead it is:

Half({8})
%%FAIL The argument of Half should be a record, but instead it is:

Half(<<9>>)
%%FAIL The argument of Half should be a record, but instead it is:

%EXTENDS Integers, TLC, Json

ToJson(1)
"1"

ToJson("s")
"\"s\""

ToJson({8})
"[8]"

ToJson(<<9>>)
"[9]"

ToJson([a |-> 1])
"{\"a\":1}"

ToJsonArray(<<1>>)
"[1]"

ToJsonArray(7)
%%FAIL Attempted to apply the operator ToJson,

ToJsonArray("s")
%%FAIL Attempted to apply the operator ToJson,

ToJsonArray({8})
"[8]"

ToJsonArray([a |-> 1])
%%FAIL Attempted to apply the operator ToJson,

ToJsonObject([a |-> 1])
"{\"a\":1}"

ToJsonObject(7)
%%FAIL Attempted to apply the operator ToJson,

ToJsonObject("s")
%%FAIL Attempted to apply the operator ToJson,

ToJsonObject({8})
%%FAIL Attempted to apply the operator ToJson,

ToJsonObject(<<9>>)
"{\"0\":9}"

JsonSerialize("/proc/none/f",1)
%%FAIL The second argument of JsonSerialize should be a sequence or

JsonSerialize(7,1)
%%FAIL The second argument of JsonSerialize should be a sequence or

JsonSerialize(<<9>>,1)
%%FAIL The second argument of JsonSerialize should be a sequence or

JsonSerialize("/proc/none/f","s")
%%FAIL The second argument of JsonSerialize should be a sequence or

JsonSerialize("/proc/none/f",<<9>>)
%%FAIL Attempted to apply the operator JsonSerialize,

JsonDeserialize("/proc/none/f")
%%FAIL Attempted to apply the operator JsonDeserialize,

JsonDeserialize(7)
%%FAIL The first argument of JsonDeserialize should be a string, bu

JsonDeserialize({8})
%%FAIL The first argument of JsonDeserialize should be a string, bu

JsonDeserialize(<<9>>)
%%FAIL The first argument of JsonDeserialize should be a string, bu

JsonDeserialize([a |-> 1])
%%FAIL The first argument of JsonDeserialize should be a string, bu

ndJsonSerialize("/proc/none/f",<<1>>)
%%FAIL Attempted to apply the operator ndJsonSerialize,

ndJsonSerialize(7,<<1>>)
%%FAIL The first argument of ndJsonSerialize should be a string, bu

ndJsonSerialize(<<9>>,<<1>>)
%%FAIL The first argument of ndJsonSerialize should be a string, bu

ndJsonSerialize("/proc/none/f",7)
%%FAIL The second argument of ndJsonSerialize should be a sequence,

ndJsonSerialize("/proc/none/f",{8})
%%FAIL The second argument of ndJsonSerialize should be a sequence,

ndJsonDeserialize("/proc/none/f")
%%FAIL Attempted to apply the operator ndJsonDeserialize,

ndJsonDeserialize(7)
%%FAIL The first argument of ndJsonDeserialize should be a string,

ndJsonDeserialize({8})
%%FAIL The first argument of ndJsonDeserialize should be a string,

ndJsonDeserialize(<<9>>)
%%FAIL The first argument of ndJsonDeserialize should be a string,

ndJsonDeserialize([a |-> 1])
%%FAIL The first argument of ndJsonDeserialize should be a string,

%EXTENDS Integers, TLC, IOUtils

atoi("12")
12

atoi(7)
%%FAIL The argument of atoi should be a string, but instead it is:

atoi({8})
%%FAIL The argument of atoi should be a string, but instead it is:

atoi(<<9>>)
%%FAIL The argument of atoi should be a string, but instead it is:

atoi([a |-> 1])
%%FAIL The argument of atoi should be a string, but instead it is:

IOExec(<<"true">>)
[exitValue |-> 0, stdout |-> "", stderr |-> ""]

IOExec(7)
%%FAIL The argument of IOExec should be a sequence, but instead it

IOExec("s")
%%FAIL The argument of IOExec should be a sequence, but instead it

IOExec({8})
%%FAIL The argument of IOExec should be a sequence, but instead it

IOExec([a |-> 1])
%%FAIL The argument of IOExec should be a sequence, but instead it

IOEnvExec([A |-> "1"],<<"true">>)
[exitValue |-> 0, stdout |-> "", stderr |-> ""]

IOEnvExec(7,<<"true">>)
%%FAIL The argument of IOEnvExec should be a record, but instead it

IOEnvExec({8},<<"true">>)
%%FAIL The argument of IOEnvExec should be a record, but instead it

IOEnvExec([A |-> "1"],7)
%%FAIL The argument of IOEnvExec should be a sequence, but instead

IOEnvExec([A |-> "1"],{8})
%%FAIL The argument of IOEnvExec should be a sequence, but instead

IOExecTemplate(<<"echo", "%s">>,<<"a">>)
[exitValue |-> 0, stdout |-> "a\n", stderr |-> ""]

IOExecTemplate(7,<<"a">>)
%%FAIL The argument of IOExecTemplate should be a sequence, but ins

IOExecTemplate({8},<<"a">>)
%%FAIL The argument of IOExecTemplate should be a sequence, but ins

IOExecTemplate(<<"echo", "%s">>,7)
%%FAIL The argument of IOExecTemplate should be a sequence, but ins

IOExecTemplate(<<"echo", "%s">>,{8})
%%FAIL The argument of IOExecTemplate should be a sequence, but ins

IOEnvExecTemplate([A |-> "1"],<<"echo", "%s">>,<<"a">>)
[exitValue |-> 0, stdout |-> "a\n", stderr |-> ""]

IOEnvExecTemplate(7,<<"echo", "%s">>,<<"a">>)
%%FAIL The argument of IOEnvExecTemplate should be a record, but in

IOEnvExecTemplate([A |-> "1"],"s",<<"a">>)
%%FAIL The argument of IOEnvExecTemplate should be a sequence, but

IOEnvExecTemplate([A |-> "1"],<<"echo", "%s">>,{8})
%%FAIL The argument of IOEnvExecTemplate should be a sequence, but

Serialize("x","/proc/none/f",[format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE">>])
[exitValue |-> 1, stdout |-> "", stderr |-> "Serialize error writing to the file: /proc/none/f: No such file or directory"]

Serialize(7,"/proc/none/f",[format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE">>])
%%FAIL The first argument of Serialize should be a string, but inst

Serialize("x",{8},[format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE">>])
%%FAIL The second argument of Serialize should be a string, but ins

Serialize("x","/proc/none/f",{8})
%%FAIL The third argument of Serialize should be a record, but inst

Deserialize("/proc/none/f",[format |-> "TXT", charset |-> "UTF-8"])
[exitValue |-> 1, stdout |-> "", stderr |-> "Deserialize error reading from the file: cannot open /proc/none/f: No such file or directory"]

Deserialize(7,[format |-> "TXT", charset |-> "UTF-8"])
%%FAIL The first argument of Deserialize should be a string, but in

Deserialize(<<9>>,[format |-> "TXT", charset |-> "UTF-8"])
%%FAIL The first argument of Deserialize should be a string, but in

Deserialize("/proc/none/f",7)
%%FAIL The second argument of Deserialize should be a record, but i

Deserialize("/proc/none/f",{8})
%%FAIL The second argument of Deserialize should be a record, but i

IOSerialize(1,"/proc/none/f",FALSE)
%%FAIL Attempted to apply the operator IOSerialize,

IOSerialize("s","/proc/none/f",FALSE)
%%FAIL Attempted to apply the operator IOSerialize,

IOSerialize(1,{8},FALSE)
%%FAIL The second argument of IOSerialize should be a string, but i

IOSerialize(1,"/proc/none/f",{8})
%%FAIL The third argument of IOSerialize should be a Boolean, but i

IODeserialize("/proc/none/f",FALSE)
%%FAIL Attempted to apply the operator IODeserialize,

IODeserialize(7,FALSE)
%%FAIL The first argument of IODeserialize should be a string, but

IODeserialize(<<9>>,FALSE)
%%FAIL The first argument of IODeserialize should be a string, but

IODeserialize("/proc/none/f",7)
%%FAIL The second argument of IODeserialize should be a Boolean, bu

IODeserialize("/proc/none/f",<<9>>)
%%FAIL The second argument of IODeserialize should be a Boolean, bu

%EXTENDS Integers, TLC, CSV

CSVWrite("%1$s",<<1>>,"/proc/none/f")
%%FAIL Attempted to apply the operator CSVWrite,

CSVWrite(7,<<1>>,"/proc/none/f")
%%FAIL The first argument of CSVWrite should be a string, but inste

CSVWrite("%1$s","s","/proc/none/f")
%%FAIL The argument of CSVWrite should be a sequence, but instead i

CSVWrite("%1$s",<<1>>,<<9>>)
%%FAIL The third argument of CSVWrite should be a string, but inste

CSVWriteRecord(<<"a">>,[a |-> 1],",","/proc/none/f")
%%FAIL The argument of CSVWriteRecord should be a record, but inste

CSVWriteRecord(7,[a |-> 1],",","/proc/none/f")
%%FAIL The argument of CSVWriteRecord should be a record, but inste

CSVWriteRecord(<<"a">>,"s",",","/proc/none/f")
%%FAIL The argument of CSVWriteRecord should be a record, but inste

CSVWriteRecord(<<"a">>,[a |-> 1],<<9>>,"/proc/none/f")
%%FAIL The argument of CSVWriteRecord should be a record, but inste

CSVWriteRecord(<<"a">>,[a |-> 1],",",[a |-> 1])
%%FAIL The argument of CSVWriteRecord should be a record, but inste

CSVRead(<<"a">>,",","/proc/none/f")
<<>>

CSVRead(7,",","/proc/none/f")
%%FAIL The argument of CSVRead should be a sequence, but instead it

CSVRead(<<"a">>,{8},"/proc/none/f")
%%FAIL The second argument of CSVRead should be a string, but inste

CSVRead(<<"a">>,",",<<9>>)
%%FAIL The third argument of CSVRead should be a string, but instea

CSVRecords("/proc/none/f")
0

CSVRecords(7)
%%FAIL The first argument of CSVRecords should be a string, but ins

CSVRecords({8})
%%FAIL The first argument of CSVRecords should be a string, but ins

CSVRecords(<<9>>)
%%FAIL The first argument of CSVRecords should be a string, but ins

CSVRecords([a |-> 1])
%%FAIL The first argument of CSVRecords should be a string, but ins

%EXTENDS Integers, TLC, Graphs

SimplePath([node |-> {1,2}, edge |-> {<<1,2>>}])
{<<1>>, <<2>>, <<1, 2>>}

SimplePath(7)
%%FAIL The first argument of SimplePath should be a graph record wi

SimplePath("s")
%%FAIL The first argument of SimplePath should be a graph record wi

SimplePath({8})
%%FAIL The first argument of SimplePath should be a graph record wi

SimplePath(<<9>>)
%%FAIL The first argument of SimplePath should be a graph record wi

AreConnectedIn(1,2,[node |-> {1,2}, edge |-> {<<1,2>>}])
TRUE

AreConnectedIn("s",2,[node |-> {1,2}, edge |-> {<<1,2>>}])
%%FAIL Attempted to compare string "s" with non-string:

AreConnectedIn(1,{8},[node |-> {1,2}, edge |-> {<<1,2>>}])
%%FAIL Attempted to compare the set {8} with the value:

AreConnectedIn(1,2,{8})
%%FAIL The third argument of AreConnectedIn should be a graph recor

IsStronglyConnected([node |-> {1,2}, edge |-> {<<1,2>>}])
FALSE

IsStronglyConnected(7)
%%FAIL The first argument of IsStronglyConnected should be a graph

IsStronglyConnected("s")
%%FAIL The first argument of IsStronglyConnected should be a graph

IsStronglyConnected({8})
%%FAIL The first argument of IsStronglyConnected should be a graph

IsStronglyConnected(<<9>>)
%%FAIL The first argument of IsStronglyConnected should be a graph

%EXTENDS Integers, TLC, UndirectedGraphs

SimplePath([node |-> {1,2}, edge |-> {{1,2}}])
{<<1>>, <<2>>, <<1, 2>>, <<2, 1>>}

SimplePath(7)
%%FAIL The first argument of SimplePath should be a record of an

SimplePath("s")
%%FAIL The first argument of SimplePath should be a record of an

SimplePath({8})
%%FAIL The first argument of SimplePath should be a record of an

SimplePath(<<9>>)
%%FAIL The first argument of SimplePath should be a record of an

AreConnectedIn(1,2,[node |-> {1,2}, edge |-> {{1,2}}])
TRUE

AreConnectedIn("s",2,[node |-> {1,2}, edge |-> {{1,2}}])
%%FAIL Attempted to compare string "s" with non-string:

AreConnectedIn(1,{8},[node |-> {1,2}, edge |-> {{1,2}}])
%%FAIL Attempted to compare the set {8} with the value:

AreConnectedIn(1,2,{8})
%%FAIL The third argument of AreConnectedIn should be a record of an

ConnectedComponents([node |-> {1,2,3}, edge |-> {{1,2}}])
{{3}, {1, 2}}

ConnectedComponents(7)
%%FAIL The first argument of ConnectedComponents should be a record of an

ConnectedComponents("s")
%%FAIL The first argument of ConnectedComponents should be a record of an

ConnectedComponents({8})
%%FAIL The first argument of ConnectedComponents should be a record of an

ConnectedComponents(<<9>>)
%%FAIL The first argument of ConnectedComponents should be a record of an

%EXTENDS Integers, TLC, GraphViz

DotDiGraph([node |-> {1,2}, edge |-> {<<1,2>>}],LAMBDA n: ToString(n),LAMBDA e: "e")
"digraph MyGraph {4283623004155673272[label=\"1\"];-2034961223135199441[label=\"2\"];4283623004155673272->-2034961223135199441[label=\"e\"];}"

DotDiGraph(7,LAMBDA n: ToString(n),LAMBDA e: "e")
%%FAIL The first argument of DotDiGraph should be a graph record wi

%EXTENDS Integers, TLC, Relation

TransitiveClosure([p \in {1,2} \X {1,2} |-> p = <<1,2>>],{1,2})
(<<1, 1>> :> FALSE @@ <<1, 2>> :> TRUE @@ <<2, 1>> :> FALSE @@ <<2, 2>> :> FALSE)

TransitiveClosure(7,{1,2})
%%FAIL A non-function (an integer) was applied as a function.

TransitiveClosure({8},{1,2})
%%FAIL A non-function (a set of the form {e1, ... ,eN}) was applied

TransitiveClosure([p \in {1,2} \X {1,2} |-> p = <<1,2>>],7)
%%FAIL TLC encountered a non-enumerable quantifier bound

TransitiveClosure([p \in {1,2} \X {1,2} |-> p = <<1,2>>],<<9>>)
%%FAIL TLC encountered a non-enumerable quantifier bound

ReflexiveTransitiveClosure([p \in {1,2} \X {1,2} |-> p = <<1,2>>],{1,2})
(<<1, 1>> :> TRUE @@ <<1, 2>> :> TRUE @@ <<2, 1>> :> FALSE @@ <<2, 2>> :> TRUE)

ReflexiveTransitiveClosure(7,{1,2})
%%FAIL A non-function (an integer) was applied as a function.

ReflexiveTransitiveClosure({8},{1,2})
%%FAIL A non-function (a set of the form {e1, ... ,eN}) was applied

ReflexiveTransitiveClosure([p \in {1,2} \X {1,2} |-> p = <<1,2>>],7)
%%FAIL TLC encountered a non-enumerable quantifier bound

ReflexiveTransitiveClosure([p \in {1,2} \X {1,2} |-> p = <<1,2>>],<<9>>)
%%FAIL TLC encountered a non-enumerable quantifier bound

IsConnected([p \in {1,2} \X {1,2} |-> p = <<1,2>>],{1,2})
FALSE

IsConnected(7,{1,2})
%%FAIL A non-function (an integer) was applied as a function.

IsConnected({8},{1,2})
%%FAIL A non-function (a set of the form {e1, ... ,eN}) was applied

IsConnected([p \in {1,2} \X {1,2} |-> p = <<1,2>>],7)
%%FAIL TLC encountered a non-enumerable quantifier bound

IsConnected([p \in {1,2} \X {1,2} |-> p = <<1,2>>],<<9>>)
%%FAIL TLC encountered a non-enumerable quantifier bound

%EXTENDS Integers, TLC, SVG

SVGElemToString([name |-> "g", attrs |-> [a |-> "1"], children |-> <<>>, innerText |-> "x"])
"<g a='1'>x</g>"

SVGElemToString(7)
%%FAIL The first argument of SVGElemToString should be a record wit

SVGElemToString("s")
%%FAIL The first argument of SVGElemToString should be a record wit

SVGElemToString({8})
%%FAIL The first argument of SVGElemToString should be a record wit

SVGElemToString(<<9>>)
%%FAIL The first argument of SVGElemToString should be a record wit

NodeOfRingNetwork(10,20,5,1,4)
[x |-> 10, y |-> 25]

NodeOfRingNetwork("s",20,5,1,4)
%%FAIL The first argument of NodeOfRingNetwork should be an integer

NodeOfRingNetwork(10,{8},5,1,4)
%%FAIL The second argument of NodeOfRingNetwork should be an intege

NodeOfRingNetwork(10,20,<<9>>,1,4)
%%FAIL The third argument of NodeOfRingNetwork should be an integer

NodeOfRingNetwork(10,20,5,[a |-> 1],4)
%%FAIL The fourth argument of NodeOfRingNetwork should be an intege

NodeOfRingNetwork(10,20,5,1,"s")
%%FAIL The fifth argument of NodeOfRingNetwork should be an integer

PointOnLine([x |-> 0, y |-> 0],[x |-> 10, y |-> 20],2)
[x |-> 5, y |-> 10]

PointOnLine(7,[x |-> 10, y |-> 20],2)
%%FAIL The first argument of PointOnLine should be a record with x

PointOnLine([x |-> 0, y |-> 0],"s",2)
%%FAIL The second argument of PointOnLine should be a record with x

PointOnLine([x |-> 0, y |-> 0],[x |-> 10, y |-> 20],<<9>>)
%%FAIL The third argument of PointOnLine should be an integer, but

NodesOfDirectedMultiGraph({1,2,3},{<<1,2>>,<<1,3>>},[algo |-> "Sugiyama", view_width |-> 100, view_height |-> 80, node_width |-> 10, node_height |-> 10])
<<[x |-> 50, y |-> 20], [x |-> 25, y |-> 60], [x |-> 75, y |-> 60]>>

NodesOfDirectedMultiGraph(7,{<<1,2>>,<<1,3>>},[algo |-> "Sugiyama", view_width |-> 100, view_height |-> 80, node_width |-> 10, node_height |-> 10])
%%FAIL The first argument of NodesOfDirectedMultiGraph should be a

NodesOfDirectedMultiGraph({1,2,3},"s",[algo |-> "Sugiyama", view_width |-> 100, view_height |-> 80, node_width |-> 10, node_height |-> 10])
%%FAIL The second argument of NodesOfDirectedMultiGraph should be a

NodesOfDirectedMultiGraph({1,2,3},{<<1,2>>,<<1,3>>},{8})
%%FAIL The third argument of NodesOfDirectedMultiGraph should be a

%EXTENDS Integers, TLC, VectorClocks

CausalOrder(<<[n |-> 1, c |-> <<1,1>>], [n |-> 2, c |-> <<0,1>>]>>,LAMBDA l: l.c,LAMBDA l: l.n,LAMBDA c: DOMAIN c)
<<[n |-> 2, c |-> <<0, 1>>], [n |-> 1, c |-> <<1, 1>>]>>

CausalOrder(7,LAMBDA l: l.c,LAMBDA l: l.n,LAMBDA c: DOMAIN c)
%%FAIL The first argument of CausalOrder should be a sequence, but

%EXTENDS Integers, TLC, Statistics

ChiSquare(<<10,20>>,<<12,18>>,"0.05")
TRUE

ChiSquare(7,<<12,18>>,"0.05")
%%FAIL The first argument of ChiSquare should be a function, but in

ChiSquare(<<10,20>>,"s","0.05")
%%FAIL The second argument of ChiSquare should be a function, but i

ChiSquare(<<10,20>>,<<12,18>>,<<9>>)
%%FAIL The third argument of ChiSquare should be a StringValue repr
