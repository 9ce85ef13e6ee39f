# Operators of Bags. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Bags

EmptyBag
<<>>

SetToBag({1, 2})
<<1, 1>>

SetToBag({})
<<>>

SetToBag({"aa"})
[aa |-> 1]

SetToBag({1, 1, 2})
<<1, 1>>

SetToBag(3)
%%FAIL Applying BagToSet to the following value, which is not a function with a finite domain: 3

SetToBag(Nat)
%%FAIL Applying BagToSet to the following value, which is not a function with a finite domain: Nat

BagToSet(1 :> 2 @@ 5 :> 1)
{1, 5}

BagToSet(EmptyBag)
{}

BagToSet(3)
%%FAIL Applying BagToSet to the following value, which is not a function with a finite domain: 3

IsABag(EmptyBag)
TRUE

IsABag(1 :> 2)
TRUE

IsABag(1 :> 0)
FALSE

IsABag(1 :> "aa")
FALSE

IsABag(3)
FALSE

IsABag(<<1, 2>>)
TRUE

IsABag([aa |-> 1])
TRUE

BagIn(1, 1 :> 2)
TRUE

BagIn(2, 1 :> 2)
FALSE

BagIn(1, EmptyBag)
FALSE

CopiesIn(1, 1 :> 2)
2

CopiesIn(2, 1 :> 2)
0

CopiesIn(1, EmptyBag)
0

BagCardinality(EmptyBag)
0

BagCardinality(1 :> 2 @@ 7 :> 3)
5

BagCardinality(1 :> 0)
%%FAIL Applying BagCardinality to the following value, which is not a bag: <<0>>

BagCardinality(1 :> "aa")
%%FAIL Applying BagCardinality to the following value, which is not a bag: <<"aa">>

BagCardinality(3)
%%FAIL Applying BagCardinality to the following value, which is not a function with a finite domain: 3

(1 :> 2) (+) (1 :> 3)
<<5>>

(1 :> 2) (+) (2 :> 3)
<<2, 3>>

(5 :> 2) (+) (1 :> 3)
(1 :> 3 @@ 5 :> 2)

EmptyBag (+) (4 :> 1)
(4 :> 1)

(4 :> 1) (+) EmptyBag
(4 :> 1)

SetToBag({"aa", "bb"}) (+) SetToBag({"bb"})
[aa |-> 1, bb |-> 2]

(1 :> 0) (+) (1 :> 1)
%%FAIL The first argument of (+) should be a bag, but instead it is: <<0>>

(1 :> 1) (+) (1 :> -1)
%%FAIL The second argument of (+) should be a bag, but instead it is: <<-1>>

3 (+) EmptyBag
%%FAIL

(1 :> 2) (-) (1 :> 1)
<<1>>

(1 :> 2) (-) (1 :> 2)
<<>>

(1 :> 2) (-) (1 :> 3)
<<>>

(1 :> 2 @@ 4 :> 1) (-) (4 :> 1)
<<2>>

(1 :> 2) (-) EmptyBag
<<2>>

EmptyBag (-) (1 :> 2)
<<>>

(7 :> 2) (-) (8 :> 1)
(7 :> 2)

3 (-) EmptyBag
%%FAIL The first argument of (-) should be a bag, but instead it is: 3

EmptyBag (-) 3
%%FAIL The second argument of (-) should be a bag, but instead it is: 3

(1 :> 2) \sqsubseteq (1 :> 2)
TRUE

(1 :> 2) \sqsubseteq (1 :> 3 @@ 2 :> 1)
TRUE

(1 :> 2) \sqsubseteq (1 :> 1)
FALSE

EmptyBag \sqsubseteq (1 :> 1)
TRUE

(1 :> 1) \sqsubseteq EmptyBag
FALSE

3 \sqsubseteq EmptyBag
%%FAIL Applying \sqsubseteq to the following value, which is not a function with a finite domain: 3

EmptyBag \sqsubseteq 3
%%FAIL Applying \sqsubseteq to the following value, which is not a function with a finite domain: 3

BagUnion({})
<<>>

BagUnion({1 :> 2})
<<2>>

BagUnion({1 :> 2, 1 :> 3})
<<5>>

BagUnion({1 :> 2, 2 :> 3, 1 :> 1})
<<3, 3>>

BagUnion(3)
%%FAIL Applying BagUnion to the following value, which is not a finite enumerable set: 3

BagOfAll(LAMBDA x : x % 2, 1 :> 2 @@ 2 :> 3 @@ 3 :> 4)
(0 :> 3 @@ 1 :> 6)

BagOfAll(LAMBDA x : x + 5, 1 :> 2)
(6 :> 2)

BagOfAll(LAMBDA x : x, EmptyBag)
<<>>

BagOfAll(LAMBDA x : x, 3)
%%FAIL The second argument of BagOfAll should be a function with a finite domain, but instead it is: 3

SubBag(EmptyBag)
{<<>>}

SubBag(5 :> 2)
{<<>>, (5 :> 1), (5 :> 2)}

SubBag(5 :> 1 @@ 6 :> 2)
{<<>>, (5 :> 1), (6 :> 1), (6 :> 2), (5 :> 1 @@ 6 :> 1), (5 :> 1 @@ 6 :> 2)}

SubBag(SetToBag({7, 8}))
{<<>>, (7 :> 1), (8 :> 1), (7 :> 1 @@ 8 :> 1)}
