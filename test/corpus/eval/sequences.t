# Tuples, sequences and bags
# The values and messages are those of TLC's REPL (tlaplus/tlaplus at cc6b616).

# Tuples and sequences

<<>>
<<>>

<<1, "a", {}>>
<<1, "a", {}>>

<<1, 2>>[1]
1

<<1, 2>>[0]
%%FAIL Attempted to access index 0 of tuple <<1, 2>> which is out of bounds.

<<1, 2>>[3]
%%FAIL Attempted to access index 3 of tuple <<1, 2>> which is out of bounds.

<<1, 2>>["a"]
%%FAIL Attempted to access tuple at a non integral index: "a"

<<1, 2>> = <<1, 2>>
TRUE

<<1, 2>> = <<2, 1>>
FALSE

<<1>> = <<1, 2>>
FALSE

<<>> = {}
%%FAIL Attempted to check equality of the function <<>> with the value: {}

<<1>> = 1
%%FAIL Attempted to check equality of the function <<1>> with the value: 1

<<>> = [x \in {} |-> x]
TRUE

Len(<<>>)
0

Len(<<1, 2, 3>>)
3

Len(5)
%%FAIL The argument of Len should be a sequence, but instead it is:

Len({})
%%FAIL The argument of Len should be a sequence, but instead it is:

Len([x \in 1..4 |-> x])
4

Len([x \in {2, 3} |-> x])
%%FAIL The argument of Len should be a sequence, but instead it is:

Len([a |-> 1])
%%FAIL The argument of Len should be a sequence, but instead it is:

Head(<<1, 2>>)
1

Head(<<>>)
%%FAIL Attempted to apply Head to the empty sequence.

Head(5)
%%FAIL The argument of Head should be a sequence, but instead it is:

Tail(<<1, 2, 3>>)
<<2, 3>>

Tail(<<1>>)
<<>>

Tail(<<>>)
%%FAIL Attempted to apply Tail to the empty sequence.

Tail({})
%%FAIL The argument of Tail should be a sequence, but instead it is:

Append(<<1>>, 2)
<<1, 2>>

Append(<<>>, <<>>)
<<<<>>>>

Append(1, 2)
%%FAIL Evaluating an expression of the form Append(s, v) when s is not a sequence:

<<1>> \o <<2, 3>>
<<1, 2, 3>>

<<>> \o <<>>
<<>>

<<1>> \circ <<2>>
<<1, 2>>

<<1>> \o 2
%%FAIL Evaluating an expression of the form t \o s when s is not a sequence:

1 \o <<2>>
%%FAIL Evaluating an expression of the form s \o t when s is not a sequence:

SubSeq(<<1, 2, 3, 4>>, 2, 3)
<<2, 3>>

SubSeq(<<1, 2, 3>>, 1, 0)
<<>>

SubSeq(<<1, 2, 3>>, 2, 5)
%%FAIL The third argument of SubSeq must be in the domain of its first argument:

SubSeq(<<1, 2, 3>>, 0, 1)
%%FAIL The second argument of SubSeq must be in the domain of its first argument:

SubSeq(<<1, 2, 3>>, 3, 1)
<<>>

SubSeq(5, 1, 1)
%%FAIL The first argument of SubSeq should be a sequence, but instead it is:

SubSeq(<<1>>, "a", 1)
%%FAIL The second argument of SubSeq should be a natural number, but instead it is:

SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x % 2 = 0)
<<2, 4>>

SelectSeq(<<>>, LAMBDA x : TRUE)
<<>>

SelectSeq(<<1, 2>>, LAMBDA x : x)
%%FAIL The second argument of SelectSeq should be a boolean-valued operator, but instead it is:

SelectSeq(5, LAMBDA x : TRUE)
%%FAIL The first argument of SelectSeq should be a sequence, but instead it is:

<<1, 2>> \in Seq({1, 2})
TRUE

<<1, 3>> \in Seq({1, 2})
FALSE

<<>> \in Seq({})
TRUE

5 \in Seq({5})
%%FAIL Attempted to check if the value:

[x \in 1..2 |-> 1] \in Seq(Nat)
TRUE

Seq({1})
Seq({1})

Cardinality(Seq({1}))
%%FAIL Attempted to compute cardinality of the value

Seq({}) = {<<>>}
%%FAIL Attempted to compare overridden value Seq({}) with non-overridden value: {<<>>}

{<<1>>} \subseteq Seq(Nat)
TRUE

# Bags

EmptyBag
<<>>

SetToBag({1, 2})
<<1, 1>>

SetToBag({"a"}) (+) SetToBag({"a", "b"})
[a |-> 2, b |-> 1]

SetToBag({1, 2}) (-) SetToBag({1})
(2 :> 1)

SetToBag({1}) (-) SetToBag({1})
<<>>

SetToBag({1}) (-) SetToBag({2})
<<1>>

BagCardinality(SetToBag({1, 2}) (+) SetToBag({1}))
3

BagCardinality(EmptyBag)
0

CopiesIn(1, SetToBag({1}) (+) SetToBag({1}))
2

CopiesIn(3, SetToBag({1}))
0

BagIn(1, SetToBag({1}))
TRUE

BagIn(2, SetToBag({1}))
FALSE

SetToBag({1}) \sqsubseteq SetToBag({1, 2})
TRUE

SetToBag({1, 2}) \sqsubseteq SetToBag({1})
FALSE

BagUnion({SetToBag({1}), SetToBag({1, 2})})
<<2, 1>>

IsABag(SetToBag({1}))
TRUE

IsABag(5)
FALSE

IsABag([x \in {1} |-> 0])
FALSE

BagOfAll(LAMBDA x : x % 2, SetToBag({1, 2, 3}))
(0 :> 1 @@ 1 :> 2)

SubBag(SetToBag({1, 2}))
{<<>>, <<1>>, (2 :> 1), <<1, 1>>}
