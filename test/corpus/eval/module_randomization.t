# Operators of Randomization. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, FiniteSets, Randomization

Cardinality(RandomSubset(2, 1 .. 5))
2

RandomSubset(0, 1 .. 5)
{}

RandomSubset(5, 1 .. 5)
{1, 2, 3, 4, 5}

RandomSubset(7, 1 .. 5)
{1, 2, 3, 4, 5}

RandomSubset(3, 1 .. 10) \subseteq 1 .. 10
TRUE

Cardinality(RandomSubset(10, [1 .. 10 -> 1 .. 10]))
10

RandomSubset(3, [1 .. 10 -> 1 .. 4]) \subseteq [1 .. 10 -> 1 .. 4]
TRUE

Cardinality(RandomSubset(3, (1 .. 100) \X (1 .. 100)))
3

Cardinality(RandomSubset(3, [a : 1 .. 100, b : 1 .. 100]))
3

RandomSubset("aa", 1 .. 5)
%%FAIL The first argument of RandomSubset should be a nonnegative integer, but instead it is: "aa"

RandomSubset(2, Nat)
%%FAIL The second argument of RandomSubset should be a a finite set, but instead it is: Nat

RandomSubset(2, 3)
%%FAIL The second argument of RandomSubset should be a a finite set, but instead it is: 3

RandomSetOfSubsets(0, 1, 1 .. 5)
{}

RandomSetOfSubsets(3, 0, 1 .. 5)
{{}}

RandomSetOfSubsets(3, 5, 1 .. 5)
{{1, 2, 3, 4, 5}}

RandomSetOfSubsets(4, 2, 1 .. 5) \subseteq SUBSET (1 .. 5)
TRUE

Cardinality(RandomSetOfSubsets(10, 5, 1 .. 20)) <= 10
TRUE

RandomSetOfSubsets(-1, 1, 1 .. 5)
%%FAIL The first argument of RandomSetOfSubsets should be a nonnegative integer, but instead it is: -1

RandomSetOfSubsets(1, -1, 1 .. 5)
%%FAIL The second argument of RandomSetOfSubsets should be a nonnegative integer, but instead it is: -1

RandomSetOfSubsets(1, 6, 1 .. 5)
%%FAIL The second argument of RandomSetOfSubsets should be a nonnegative integer in range 0..Cardinality(S), but instead it is: 6

RandomSetOfSubsets(40, 1, 1 .. 5)
%%FAIL The first argument of RandomSetOfSubsets should be a nonnegative integer that is smaller than the subset's size of 2^5, but instead it is: 40

RandomSetOfSubsets("aa", 1, 1 .. 5)
%%FAIL The first argument of RandomSetOfSubsets should be a nonnegative integer, but instead it is: "aa"

RandomSetOfSubsets(1, "aa", 1 .. 5)
%%FAIL The second argument of RandomSetOfSubsets should be a nonnegative integer, but instead it is: "aa"

RandomSetOfSubsets(1, 1, Nat)
%%FAIL The third argument of RandomSetOfSubsets should be a finite set, but instead it is: Nat

DOMAIN TestRandomSetOfSubsets(3, 2, 1 .. 5)
1..5

Cardinality(RandomSubset(1001, 1 .. 100000000))
1001

RandomSubset(5, 1 .. 100000000) \subseteq 1 .. 100000000
TRUE
