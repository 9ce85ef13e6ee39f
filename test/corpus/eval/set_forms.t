# Sets that are built in different ways, and compared, cut and counted.
%EXTENDS Integers, FiniteSets

1 \in {x \in Nat : 3}
%%FAIL Attempted to evaluate an expression of form {x \in S : P(x)} when P was an integer.

1 \in {x \in Nat : x > 0}
TRUE

0 \in {x \in Nat : x > 0}
FALSE

{1, 2} \cap Nat
{1, 2}

Nat \cap {1, 2, -1}
{1, 2}

Cardinality(Nat \cap {1, 2, 3})
3

Cardinality({1, 2, 3} \cap Nat)
3

SUBSET (Nat \cap {1, 2})
{{}, {1}, {2}, {1, 2}}

SUBSET ({1, 2} \cap Nat)
{{}, {1}, {2}, {1, 2}}

Cardinality((SUBSET (1..30)) \cap {{1}, {2}})
2

Cardinality({{1}, {2}, 3..4} \cap SUBSET (1..3))
2

(1..3) = {1, 2, 3}
TRUE

{1, 2, 3} = (1..3)
TRUE

{1, 2, 4} = (1..3)
FALSE

(1..2) = {1, 2, 3}
FALSE

(1..0) = {}
TRUE

{} = (1..0)
TRUE

{<<1, 2>>} = {1} \X {2}
TRUE

[{1} -> {2}] = {<<2>>}
TRUE

SUBSET {1} = {{}, {1}}
TRUE

{{}, {1}} = SUBSET {1}
TRUE

UNION {{1}, {2, 3}} = 1..3
TRUE

{x \in 1..5 : x > 3} = {4, 5}
TRUE

{4, 5} = {x \in 1..5 : x > 3}
TRUE

{x * 2 : x \in 1..3} = {2, 4, 6}
TRUE

[a : {1}, b : {2}] = {[a |-> 1, b |-> 2]}
TRUE
