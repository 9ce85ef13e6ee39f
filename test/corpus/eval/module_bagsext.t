# Operators of BagsExt. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Bags, BagsExt, Sequences

BagAdd(5 :> 2 @@ 6 :> 1, 5)
(5 :> 3 @@ 6 :> 1)

BagAdd(5 :> 2 @@ 6 :> 1, 7)
(5 :> 2 @@ 6 :> 1 @@ 7 :> 1)

BagAdd(EmptyBag, 7)
(7 :> 1)

BagAdd(EmptyBag, 1)
<<1>>

BagAdd(SetToBag({"aa"}), "bb")
[aa |-> 1, bb |-> 1]

BagRemove(5 :> 2 @@ 6 :> 1, 5)
(5 :> 1 @@ 6 :> 1)

BagRemove(5 :> 2 @@ 6 :> 1, 6)
(5 :> 2)

BagRemove(5 :> 2 @@ 6 :> 1, 7)
(5 :> 2 @@ 6 :> 1)

BagRemove(EmptyBag, 7)
<<>>

BagRemove(7 :> 1, 7)
<<>>

BagRemoveAll(5 :> 2 @@ 6 :> 1, 5)
(6 :> 1)

BagRemoveAll(5 :> 2 @@ 6 :> 1, 7)
(5 :> 2 @@ 6 :> 1)

BagRemoveAll(5 :> 2, 5)
<<>>

FoldBag(LAMBDA x, y : x + y, 0, 1 :> 2 @@ 2 :> 1 @@ 3 :> 3)
13

FoldBag(LAMBDA x, y : x + y, 7, EmptyBag)
7

FoldBag(LAMBDA x, y : Append(x, y), <<>>, 5 :> 2 @@ 6 :> 1)
<<5, 5, 6>>

FoldBag(LAMBDA x, y : x, 0, 3)
%%FAIL The third argument of FoldBag should be a bag, but instead it is: 3

FoldBag(LAMBDA x, y : x, 0, 1 :> 0)
%%FAIL Applying FoldBag to the following value, which is not an element of Nat: 0 (in: 1:>0)

FoldBag(LAMBDA x, y : x, 0, 1 :> "aa")
%%FAIL Applying FoldBag to the following value, which is not an element of Nat: "aa" (in: 1:>"aa")

SumBag(1 :> 2 @@ 2 :> 1 @@ 3 :> 3)
13

SumBag(EmptyBag)
0

ProductBag(2 :> 2 @@ 3 :> 2)
36

ProductBag(EmptyBag)
1

MapThenFoldBag(LAMBDA x, y : x + y, 0, LAMBDA x : 1, LAMBDA B : CHOOSE x \in DOMAIN B : TRUE, 1 :> 2 @@ 2 :> 1 @@ 3 :> 3)
6

MapThenFoldBag(LAMBDA x, y : x \o y, <<>>, LAMBDA x : <<x>>, LAMBDA S : CHOOSE x \in S : TRUE, 1 :> 2 @@ 2 :> 1 @@ 3 :> 3)
<<1, 1, 2, 3, 3, 3>>
