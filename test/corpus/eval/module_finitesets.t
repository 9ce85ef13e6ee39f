# Operators of FiniteSets. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, FiniteSets

Cardinality({})
0

Cardinality({1, 2, 3})
3

Cardinality({1, 1, 2})
2

Cardinality(1 .. 10)
10

Cardinality(10 .. 1)
0

Cardinality(SUBSET (1 .. 10))
1024

Cardinality([1 .. 3 -> 1 .. 4])
64

Cardinality((1 .. 3) \X (1 .. 4))
12

Cardinality([aa : 1 .. 2, bb : 1 .. 3])
6

Cardinality({x \in 1 .. 10 : x > 5})
5

Cardinality({x % 3 : x \in 1 .. 10})
3

Cardinality(UNION {1 .. 2, 2 .. 3})
3

Cardinality({1, 2} \cup {2, 3})
3

Cardinality({1, 2} \cap {2, 3})
1

Cardinality({1, 2} \ {2, 3})
1

Cardinality(BOOLEAN)
2

Cardinality({{}, {1}, {1}})
2

Cardinality(Nat)
%%FAIL Attempted to compute cardinality of the value Nat

Cardinality(STRING)
%%FAIL Attempted to compute cardinality of the value STRING

Cardinality(3)
%%FAIL Attempted to compute cardinality of the value 3

Cardinality("aa")
%%FAIL Attempted to compute cardinality of the value "aa"

Cardinality(<<1>>)
%%FAIL Attempted to compute cardinality of the value <<1>>

Cardinality(SUBSET SUBSET (1 .. 3))
256

Cardinality([{} -> {1}])
1

Cardinality([{1} -> {}])
0

IsFiniteSet({})
TRUE

IsFiniteSet({1, 2})
TRUE

IsFiniteSet(1 .. 5)
TRUE

IsFiniteSet(Nat)
FALSE

IsFiniteSet(Int)
FALSE

IsFiniteSet(STRING)
FALSE

IsFiniteSet(BOOLEAN)
TRUE

IsFiniteSet(SUBSET (1 .. 3))
TRUE

IsFiniteSet(SUBSET Nat)
FALSE

IsFiniteSet([1 .. 2 -> Nat])
FALSE

IsFiniteSet({1} \X Nat)
FALSE

IsFiniteSet(3)
%%FAIL Attempted to check if the integer 3 is a finite set.

IsFiniteSet("aa")
%%FAIL Attempted to check if the string "aa" is a finite set.

IsFiniteSet({x \in 1 .. 5 : x > 2})
TRUE

{S \in SUBSET (1 .. 4) : Cardinality(S) = 2}
{{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

CHOOSE S \in SUBSET (1 .. 4) : Cardinality(S) = 3
{1, 2, 3}

\A S \in SUBSET (1 .. 3) : Cardinality(S) <= 3
TRUE

IsFiniteSet(Nat \cup {1})
FALSE

IsFiniteSet({1} \cup Nat)
FALSE

IsFiniteSet({1} \cup {2})
TRUE
