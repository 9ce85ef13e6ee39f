# Operators of further modules
# The values are those of TLC (tlaplus/tlaplus at cc6b616).

%%ARGS --module test/corpus/eval/Modules.tla

# BagsExt

BagAdd(SetToBag({1}), 1)
<<2>>

BagAdd(EmptyBag, "a")
[a |-> 1]

BagRemove(SetToBag({1, 2}), 1)
(2 :> 1)

BagRemove(SetToBag({1}), 5)
<<1>>

BagRemoveAll(SetToBag({1, 2}) (+) SetToBag({1}), 1)
(2 :> 1)

SumBag(SetToBag({1, 2}) (+) SetToBag({2}))
5

ProductBag(SetToBag({2, 3}) (+) SetToBag({3}))
18

FoldBag(LAMBDA a, b : a + b, 0, SetToBag({1, 2}))
3

# Bitwise

12 & 10
8

12 | 3
15

12 ^^ 10
6

Not(5)
2

shiftR(8, 2)
2

shiftR(1, 5)
0

0 & 7
0

# Relation

IsReflexive([x, y \in {1, 2} |-> x = y], {1, 2})
TRUE

IsReflexive([x, y \in {1, 2} |-> FALSE], {1, 2})
FALSE

IsIrreflexive([x, y \in {1, 2} |-> x < y], {1, 2})
TRUE

IsSymmetric([x, y \in {1, 2} |-> x < y], {1, 2})
FALSE

IsAntiSymmetric([x, y \in {1, 2} |-> x <= y], {1, 2})
TRUE

IsAsymmetric([x, y \in {1, 2} |-> x < y], {1, 2})
TRUE

IsTransitive([x, y \in 1..3 |-> x < y], 1..3)
TRUE

IsTransitive([x, y \in 1..3 |-> y = x + 1], 1..3)
FALSE

TransitiveClosure([x, y \in 1..3 |-> y = x + 1], 1..3)[<<1, 3>>]
TRUE

ReflexiveTransitiveClosure([x, y \in 1..3 |-> y = x + 1], 1..3)[<<2, 2>>]
TRUE

IsConnected([x, y \in 1..2 |-> x < y], 1..2)
FALSE

# Combinatorics

factorial[5]
120

choose(5, 2)
10

choose(4, 0)
1

# Folds

MapThenFoldSet(LAMBDA a, b : a + b, 0, LAMBDA x : x * 2, LAMBDA s : CHOOSE x \in s : TRUE, {1, 2, 3})
12

# DyadicRationals

Zero
[num |-> 0, den |-> 1]

One
[num |-> 1, den |-> 1]

Half(One)
[num |-> 1, den |-> 2]

Half(Half(One))
[num |-> 1, den |-> 4]

Add(Half(One), Half(One))
[num |-> 1, den |-> 1]

IsDyadicRational(Half(One))
TRUE

PrettyPrint(Half(One))
"1/2"

# UndirectedGraphs

IsUndirectedGraph([node |-> {1, 2}, edge |-> {{1, 2}}])
TRUE

IsUndirectedGraph([node |-> {1, 2}, edge |-> {{1, 3}}])
FALSE

IsLoopFreeUndirectedGraph([node |-> {1, 2}, edge |-> {{1}}])
FALSE

AreConnectedIn(1, 3, [node |-> {1, 2, 3}, edge |-> {{1, 2}, {2, 3}}])
TRUE

AreConnectedIn(1, 3, [node |-> {1, 2, 3}, edge |-> {{1, 2}}])
FALSE

ConnectedComponents([node |-> {1, 2, 3}, edge |-> {{1, 2}}])
{{3}, {1, 2}}

IsStronglyConnected([node |-> {1, 2}, edge |-> {{1, 2}}])
TRUE

SimplePath([node |-> {1, 2}, edge |-> {{1, 2}}])
{<<1>>, <<2>>, <<1, 2>>, <<2, 1>>}

# A module that nothing else has read

LET Gr == INSTANCE Graphs IN Gr!IsDag([node |-> {1, 2}, edge |-> {<<1, 2>>}])
TRUE

[k \in {2} |-> LET Co == INSTANCE Combinatorics IN Co!choose(4, k)][2]
6

LET No == INSTANCE NoSuchModule IN No!Op
%%FAIL cannot find module NoSuchModule
