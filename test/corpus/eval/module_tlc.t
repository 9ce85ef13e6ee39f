# Operators of TLC. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences, TLC

1 :> 2
<<2>>

"aa" :> 2
[aa |-> 2]

1 :> 2 @@ 2 :> 3
<<2, 3>>

2 :> 3 @@ 1 :> 2
<<2, 3>>

1 :> 2 @@ 1 :> 3
<<2>>

0 :> 2 @@ 1 :> 3
(0 :> 2 @@ 1 :> 3)

"aa" :> 1 @@ "bb" :> 2
[aa |-> 1, bb |-> 2]

("aa" :> 1 @@ "bb" :> 2).aa
1

[aa |-> 1] @@ [bb |-> 2]
[aa |-> 1, bb |-> 2]

[aa |-> 1] @@ [aa |-> 2, bb |-> 3]
[aa |-> 1, bb |-> 3]

<<1, 2>> @@ <<3, 4, 5>>
<<1, 2, 5>>

<<>> @@ (1 :> 2)
<<2>>

(5 :> 1) @@ <<7>>
(1 :> 7 @@ 5 :> 1)

{} :> 1
({} :> 1)

<<1>> :> <<2>>
(<<1>> :> <<2>>)

({1} :> 1) @@ ({2} :> 2)
({1} :> 1 @@ {2} :> 2)

3 @@ <<1>>
%%FAIL The first argument of @@ should be a function, but instead it is: 3

<<1>> @@ 3
%%FAIL The second argument of @@ should be a function, but instead it is: 3

DOMAIN (1 :> 2 @@ 5 :> 6)
{1, 5}

(1 :> 2 @@ 5 :> 6)[5]
6

(1 :> 2 @@ 5 :> 6)[3]
%%FAIL Attempted to apply function: (1 :> 2 @@ 5 :> 6) to argument 3, which is not in the domain of the function.

[(1 :> 2 @@ 5 :> 6) EXCEPT ![5] = 7]
(1 :> 2 @@ 5 :> 7)

Permutations({1, 2})
{<<1, 2>>, <<2, 1>>}

Permutations({})
{<<>>}

Permutations({3})
{(3 :> 3)}

Permutations(1 .. 3)
{<<1, 2, 3>>, <<1, 3, 2>>, <<2, 1, 3>>, <<2, 3, 1>>, <<3, 1, 2>>, <<3, 2, 1>>}

Permutations({2, 5})
{(2 :> 2 @@ 5 :> 5), (2 :> 5 @@ 5 :> 2)}

Permutations(3)
%%FAIL Applying Permutations to the following value, which is not a finite set: 3

Permutations(Nat)
%%FAIL Applying Permutations to the following value, which is not a finite set: Nat

SortSeq(<<3, 1, 2>>, LAMBDA x, y : x < y)
<<1, 2, 3>>

SortSeq(<<3, 1, 2>>, LAMBDA x, y : x > y)
<<3, 2, 1>>

SortSeq(<<>>, LAMBDA x, y : x < y)
<<>>

SortSeq(<<<<1, "bb">>, <<0, "cc">>, <<1, "aa">>>>, LAMBDA x, y : x[1] < y[1])
<<<<0, "cc">>, <<1, "bb">>, <<1, "aa">>>>

SortSeq({3}, LAMBDA x, y : TRUE)
%%FAIL The first argument of SortSeq should be a natural number, but instead it is: {3}

SortSeq(<<1, 2, 3>>, LAMBDA x, y : TRUE)
<<3, 2, 1>>

SortSeq(<<1, 2, 3>>, LAMBDA x, y : FALSE)
<<1, 2, 3>>

ToString(1)
"1"

ToString(-5)
"-5"

ToString("aa")
"\"aa\""

ToString(TRUE)
"TRUE"

ToString({})
"{}"

ToString({2, 1})
"{1, 2}"

ToString(<<1, "aa">>)
"<<1, \"aa\">>"

ToString([aa |-> 1, bb |-> <<>>])
"[aa |-> 1, bb |-> <<>>]"

ToString(1 :> 2 @@ 7 :> 8)
"(1 :> 2 @@ 7 :> 8)"

ToString(1 .. 3)
"1..3"

ToString(Nat)
"Nat"

Assert(TRUE, "aa")
TRUE

Assert(FALSE, "aa")
%%FAIL The first argument of Assert evaluated to FALSE; the second argument was: "aa"

Assert(3, <<1, 2>>)
%%FAIL The first argument of Assert evaluated to FALSE; the second argument was: <<1, 2>>

TLCEval({x \in 1 .. 5 : x > 2})
{3, 4, 5}

TLCEval([x \in 1 .. 3 |-> x])
<<1, 2, 3>>

TLCEval(3)
3

TLCEval(Nat)
Nat

RandomElement({7})
7

RandomElement(5 .. 5)
5

RandomElement({1, 2, 3}) \in {1, 2, 3}
TRUE

RandomElement(1 .. 10) \in 1 .. 10
TRUE

RandomElement([1 .. 2 -> {5}])
<<5, 5>>

RandomElement([aa : {5}, bb : {6}])
[aa |-> 5, bb |-> 6]

RandomElement({5} \X {6})
<<5, 6>>

RandomElement(SUBSET {1, 2}) \in SUBSET {1, 2}
TRUE

RandomElement(3)
%%FAIL Applying RandomElement to the following value, which is not a finite set: 3

RandomElement(Nat)
%%FAIL Applying RandomElement to the following value, which is not a finite set: Nat

3 \in Any
TRUE

"aa" \in Any
TRUE

JavaTime > 1600000000
TRUE

TLCGet(-1)
%%FAIL

TLCGet({})
%%FAIL

TLCSet(-1, 2)
%%FAIL The first argument of TLCSet should be a nonnegative integer, but instead it is: -1

TLCSet({}, 2)
%%FAIL The first argument of TLCSet should be a nonnegative integer, but instead it is: {}

LET f == 1 :> 2 IN f[1]
2

Len(ToString(<<1, 2>>))
8

"x" \o ToString(3)
"x3"
