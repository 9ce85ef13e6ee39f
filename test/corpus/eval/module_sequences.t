# Operators of Sequences. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences

<<>>
<<>>

<<1, 2, 3>>
<<1, 2, 3>>

Len(<<>>)
0

Len(<<1, 2, 3>>)
3

Len("")
0

Len("hello")
5

Len([i \in 1 .. 4 |-> i])
4

Len([i \in {1, 2} |-> i])
2

Len([aa |-> 1])
%%FAIL The argument of Len should be a sequence, but instead it is: [aa |-> 1]

Len([i \in 0 .. 2 |-> i])
%%FAIL The argument of Len should be a sequence, but instead it is: (0 :> 0 @@ 1 :> 1 @@ 2 :> 2)

Len(3)
%%FAIL The argument of Len should be a sequence, but instead it is: 3

Len({1})
%%FAIL The argument of Len should be a sequence, but instead it is: {1}

Len(TRUE)
%%FAIL The argument of Len should be a sequence, but instead it is: TRUE

Len([i \in {} |-> i])
0

Head(<<1, 2>>)
1

Head(<<>>)
%%FAIL Attempted to apply Head to the empty sequence.

Head(<<<<>>>>)
<<>>

Head("abc")
%%FAIL The argument of Head should be a sequence, but instead it is: "abc"

Head(5)
%%FAIL The argument of Head should be a sequence, but instead it is: 5

Tail(<<1, 2, 3>>)
<<2, 3>>

Tail(<<1>>)
<<>>

Tail(<<>>)
%%FAIL Attempted to apply Tail to the empty sequence.

Tail("abc")
"bc"

Tail("a")
""

Tail("")
%%FAIL Attempted to apply Tail to the empty sequence.

Tail({1})
%%FAIL The argument of Tail should be a sequence, but instead it is: {1}

Append(<<>>, 1)
<<1>>

Append(<<1>>, "aa")
<<1, "aa">>

Append(<<1, 2>>, <<3>>)
<<1, 2, <<3>>>>

Append("ab", "c")
%%FAIL Evaluating an expression of the form Append(s, v) when s is not a sequence: "ab"

Append(1, 2)
%%FAIL Evaluating an expression of the form Append(s, v) when s is not a sequence: 1

Append({}, 2)
%%FAIL Evaluating an expression of the form Append(s, v) when s is not a sequence: {}

Append([i \in 1 .. 2 |-> i], 3)
<<1, 2, 3>>

<<1>> \o <<2, 3>>
<<1, 2, 3>>

<<>> \o <<1>>
<<1>>

<<1>> \o <<>>
<<1>>

<<>> \o <<>>
<<>>

<<1>> \circ <<2>>
<<1, 2>>

"ab" \o "cd"
"abcd"

"" \o "x1"
"x1"

"ab" \o <<1>>
%%FAIL Evaluating an expression of the form t \o s when s is not a string: <<1>>

<<1>> \o "ab"
%%FAIL Evaluating an expression of the form t \o s when s is not a sequence: "ab"

1 \o <<1>>
%%FAIL Evaluating an expression of the form s \o t when s is not a sequence: 1

<<1>> \o 1
%%FAIL Evaluating an expression of the form t \o s when s is not a sequence: 1

[i \in 1 .. 2 |-> i] \o <<3>>
<<1, 2, 3>>

SubSeq(<<1, 2, 3, 4>>, 2, 3)
<<2, 3>>

SubSeq(<<1, 2, 3, 4>>, 1, 4)
<<1, 2, 3, 4>>

SubSeq(<<1, 2, 3, 4>>, 3, 2)
<<>>

SubSeq(<<1, 2, 3, 4>>, 4, 4)
<<4>>

SubSeq(<<1, 2, 3, 4>>, 0, 2)
%%FAIL The second argument of SubSeq must be in the domain of its first argument: <<1, 2, 3, 4>> , but instead it is 0

SubSeq(<<1, 2, 3, 4>>, 2, 5)
%%FAIL The third argument of SubSeq must be in the domain of its first argument: <<1, 2, 3, 4>> , but instead it is 5

SubSeq(<<1, 2, 3, 4>>, 5, 5)
%%FAIL The second argument of SubSeq must be in the domain of its first argument: <<1, 2, 3, 4>> , but instead it is 5

SubSeq(<<1, 2, 3, 4>>, 5, 4)
<<>>

SubSeq(<<>>, 1, 0)
<<>>

SubSeq(<<>>, 1, 1)
%%FAIL The second argument of SubSeq must be in the domain of its first argument: <<>> , but instead it is 1

SubSeq("hello", 2, 3)
"el"

SubSeq("hello", 3, 2)
""

SubSeq("hello", 1, 5)
"hello"

SubSeq("hello", 0, 5)
%%FAIL The second argument of SubSeq must be in the domain of its first argument: "hello" , but instead it is 0

SubSeq("hello", 1, 6)
%%FAIL The third argument of SubSeq must be in the domain of its first argument: "hello" , but instead it is 6

SubSeq(<<1>>, "aa", 1)
%%FAIL The second argument of SubSeq should be a natural number, but instead it is: "aa"

SubSeq(<<1>>, 1, TRUE)
%%FAIL The third argument of SubSeq should be a natural number, but instead it is: TRUE

SubSeq({1}, 1, 1)
%%FAIL The first argument of SubSeq should be a sequence, but instead it is: {1}

SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x % 2 = 0)
<<2, 4>>

SelectSeq(<<1, 3>>, LAMBDA x : x % 2 = 0)
<<>>

SelectSeq(<<>>, LAMBDA x : x)
<<>>

SelectSeq(<<1>>, LAMBDA x : x)
%%FAIL The second argument of SelectSeq should be a boolean-valued operator, but instead it is:

SelectSeq(3, LAMBDA x : TRUE)
%%FAIL The first argument of SelectSeq should be a sequence, but instead it is: 3

LET Even(x) == x % 2 = 0 IN SelectSeq(<<2, 3, 4>>, Even)
<<2, 4>>

<<1, 2>> \in Seq({1, 2})
TRUE

<<1, 3>> \in Seq({1, 2})
FALSE

<<>> \in Seq({})
TRUE

<<1>> \in Seq({})
FALSE

3 \in Seq(Nat)
%%FAIL Attempted to check if the value: 3 is an element of Seq(Nat).

"aa" \in Seq(Nat)
%%FAIL Attempted to check if the value: "aa" is an element of Seq(Nat).

[aa |-> 1] \in Seq(Nat)
%%FAIL Attempted to check if the value: [aa |-> 1] is an element of Seq(Nat).

Seq({1, 2})
Seq({1, 2})

Seq(Nat)
Seq(Nat)

{<<1>>} \subseteq Seq(Nat)
TRUE

<<<<1>>, <<>>>> \in Seq(Seq(Nat))
TRUE

[i \in 1 .. 3 |-> i * i]
<<1, 4, 9>>

[i \in 1 .. 3 |-> i * i] = <<1, 4, 9>>
TRUE

<<1, 2>> = [i \in {1, 2} |-> i]
TRUE

<<1, 2>>[1]
1

<<1, 2>>[3]
%%FAIL Attempted to access index 3 of tuple <<1, 2>> which is out of bounds.

<<1, 2>>[0]
%%FAIL Attempted to access index 0 of tuple <<1, 2>> which is out of bounds.

<<1, 2>>["aa"]
%%FAIL Attempted to access tuple at a non integral index: "aa"

[<<1, 2, 3>> EXCEPT ![2] = 9]
<<1, 9, 3>>

[<<1, 2, 3>> EXCEPT ![4] = 9]
<<1, 2, 3>>

[<<1, 2, 3>> EXCEPT ![1] = @ + 10]
<<11, 2, 3>>

DOMAIN <<1, 2, 3>>
1..3

DOMAIN <<>>
{}

{1, 2} \X {3}
{<<1, 3>>, <<2, 3>>}

<<1, 3>> \in {1, 2} \X {3}
TRUE

{s \in {1, 2} \X {1, 2} : Head(s) < s[2]}
{<<1, 2>>}

{<<2, 1>>, <<1, 2>>, <<1>>, <<>>}
{<<>>, <<1>>, <<1, 2>>, <<2, 1>>}

{<<1, 1, 1>>, <<2>>, <<1, 2>>}
{<<2>>, <<1, 2>>, <<1, 1, 1>>}

[1 .. 2 -> {1, 2}]
{<<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>}

<<1, 2>> \in [1 .. 2 -> {1, 2}]
TRUE

Len(<<1, 2>> \o <<3>>)
3

Head(Tail(<<1, 2>>))
2

Append(Append(<<>>, 1), 2)
<<1, 2>>

"ab" = "ab"
TRUE

"ab" = "cd"
FALSE

<<"aa", 1, TRUE, {}>>
<<"aa", 1, TRUE, {}>>

<<[aa |-> 1, bb |-> <<2>>]>>
<<[aa |-> 1, bb |-> <<2>>]>>

Tail(<<1, 2>>) \o Tail(<<3, 4>>)
<<2, 4>>

LET F[n \in 0 .. 3] == IF n = 0 THEN <<>> ELSE Append(F[n - 1], n) IN F[3]
<<1, 2, 3>>
