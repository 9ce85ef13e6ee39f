# Operators of Functions and Folds. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences, Functions, TLC

Range(<<1, 2, 1>>)
{1, 2}

Range(<<>>)
{}

Range([aa |-> 1, bb |-> 2])
{1, 2}

Range([x \in 1 .. 3 |-> x * x])
{1, 4, 9}

Range(3)
%%FAIL Attempted to apply the operator DOMAIN to a non-function (an integer)

Range({1})
%%FAIL Attempted to apply the operator DOMAIN to a non-function (a set of the form {e1, ... ,eN})

Restrict(<<4, 5, 6>>, {1, 3})
(1 :> 4 @@ 3 :> 6)

Restrict(<<4, 5, 6>>, {1, 2})
<<4, 5>>

Restrict(<<4, 5, 6>>, {})
<<>>

Restrict(<<4, 5, 6>>, {4})
%%FAIL Attempted to access index 4 of tuple <<4, 5, 6>> which is out of bounds.

RestrictDomain(0 :> "aa" @@ 1 :> "bb", LAMBDA x : x = 1)
<<"bb">>

RestrictValues(<<4, 5, 6>>, LAMBDA y : y > 4)
(2 :> 5 @@ 3 :> 6)

IsRestriction(<<1>>, <<1, 2>>)
TRUE

IsRestriction(<<1, 2>>, <<1>>)
FALSE

IsRestriction(<<1, 3>>, <<1, 2>>)
FALSE

IsRestriction(<<>>, <<1>>)
TRUE

Pointwise(<<1, 2>>, <<3, 4>>, +)
<<4, 6>>

Pointwise(<<1, 2>>, <<3, 4>>, LAMBDA x, y : <<x, y>>)
<<<<1, 3>>, <<2, 4>>>>

Pointwise(<<1, 2>>, <<3>>, +)
%%FAIL Attempted to access index 2 of tuple <<3>> which is out of bounds.

Inverse(5 :> 0 @@ 6 :> 1, {5, 6}, {0, 1})
(0 :> 5 @@ 1 :> 6)

Inverse(5 :> 0 @@ 6 :> 1, {5, 6}, {1, 3})
(1 :> 6 @@ 3 :> 5)

AntiFunction(5 :> 0 @@ 6 :> 1)
(0 :> 5 @@ 1 :> 6)

AntiFunction(<<7, 8>>)
(7 :> 1 @@ 8 :> 2)

AntiFunction(<<>>)
<<>>

AntiFunction(<<7, 7>>)
%%FAIL The value 7 occurs multiple times in the function domain.

AntiFunction(3)
%%FAIL The argument of AntiFunction should be a functions, but instead it is: 3

IsInjective(<<1, 2, 3>>)
TRUE

IsInjective(<<1, 2, 1>>)
FALSE

IsInjective(<<>>)
TRUE

IsInjective([x \in 1 .. 4 |-> x % 3])
FALSE

IsInjective(5 :> 1 @@ 7 :> 2)
TRUE

IsInjective(3)
%%FAIL The argument of IsInjective should be a function, but instead it is: 3

Injection({1, 2}, {5, 6})
{<<5, 6>>, <<6, 5>>}

Injection({1, 2}, {5})
{}

Injection({}, {5})
{<<>>}

Surjection({1, 2}, {5, 6})
{<<5, 6>>, <<6, 5>>}

Surjection({1, 2, 3}, {5, 6})
{<<5, 5, 6>>, <<5, 6, 5>>, <<5, 6, 6>>, <<6, 5, 5>>, <<6, 5, 6>>, <<6, 6, 5>>}

Surjection({1}, {5, 6})
{}

Bijection({1, 2}, {5, 6})
{<<5, 6>>, <<6, 5>>}

Bijection({1, 2}, {5})
{}

ExistsInjection({1, 2}, {5, 6, 7})
TRUE

ExistsInjection({1, 2}, {5})
FALSE

ExistsInjection({}, {})
TRUE

ExistsInjection({1}, {})
FALSE

ExistsSurjection({1, 2, 3}, {5, 6})
TRUE

ExistsSurjection({1}, {5, 6})
FALSE

ExistsSurjection({1}, {})
FALSE

ExistsSurjection({}, {})
TRUE

ExistsSurjection({}, {1})
FALSE

ExistsBijection({1, 2}, {5, 6})
TRUE

ExistsBijection({1, 2}, {5})
FALSE

ExistsBijection({}, {})
TRUE

FoldFunction(+, 0, <<1, 2, 3>>)
6

FoldFunction(LAMBDA x, y : {x} \cup y, {}, <<1, 2, 1>>)
{1, 2}

FoldFunction(LAMBDA x, y : <<x>> \o y, <<>>, <<1, 2, 3>>)
<<3, 2, 1>>

FoldFunction(LAMBDA x, y : <<x, y>>, 0, 5 :> "aa" @@ 6 :> "bb")
<<"bb", <<"aa", 0>>>>

FoldFunction(+, 0, <<>>)
0

FoldFunction(+, 0, [aa |-> 4, bb |-> 5])
9

FoldFunction(+, 0, 3)
%%FAIL The third argument of FoldFunction should be a function, but instead it is: 3

FoldFunctionOnSet(+, 0, <<1, 2, 3>>, {1, 3})
4

FoldFunctionOnSet(+, 0, <<1, 2, 3>>, {})
0

FoldFunctionOnSet(LAMBDA x, y : <<x, y>>, 0, <<1, 2, 3>>, {2, 3})
<<3, <<2, 0>>>>

FoldFunctionOnSet(+, 0, <<1, 2, 3>>, {4})
%%FAIL Attempted to access index 4 of tuple <<1, 2, 3>> which is out of bounds.

FoldFunctionOnSet(+, 0, 3, {1})
%%FAIL The third argument of FoldFunctionOnSet should be a function, but instead it is: 3

FoldFunctionOnSet(+, 0, <<1>>, 3)
%%FAIL The fourth argument of FoldFunctionOnSet should be a set, but instead it is: 3

SumFunction(<<4, 5, 6>>)
15

SumFunction(<<>>)
0

SumFunction([aa |-> 4, bb |-> 5])
9

SumFunction(<<"aa">>)
%%FAIL

SumFunctionOnSet(<<4, 5, 6>>, {1, 2})
9

SumFunctionOnSet(<<4, 5, 6>>, {})
0

MapThenFoldSet(LAMBDA x, y : x \cup y, {}, LAMBDA x : {{x}}, LAMBDA s : CHOOSE x \in s : TRUE, {1, 2})
{{1}, {2}}

MapThenFoldSet(LAMBDA x, y : <<x>> \o y, <<>>, LAMBDA x : x * x, LAMBDA s : CHOOSE x \in s : TRUE, {1, 2, 3})
<<1, 4, 9>>

MapThenFoldSet(LAMBDA x, y : <<x>> \o y, <<>>, LAMBDA x : x, LAMBDA s : CHOOSE x \in s : \A y \in s : x >= y, {1, 2, 3})
<<3, 2, 1>>

MapThenFoldSet(+, 7, LAMBDA x : x, LAMBDA s : CHOOSE x \in s : TRUE, {})
7
