# What operators say when an argument is of the wrong kind, and values at their borders.

1 - "a"
%%FAIL The second argument of - should be an integer, but instead it is: "a"

"a" - 1
%%FAIL The first argument of - should be an integer, but instead it is: "a"

1 < "a"
%%FAIL The second argument of < should be an integer, but instead it is: "a"

"a" < 1
%%FAIL The first argument of < should be an integer, but instead it is: "a"

1 <= "a"
%%FAIL The second argument of <= should be an integer, but instead it is: "a"

"a" <= TRUE
%%FAIL The first argument of <= should be an integer, but instead it is: "a"

1 > {}
%%FAIL The second argument of > should be an integer, but instead it is: {}

{} > 1
%%FAIL The first argument of > should be an integer, but instead it is: {}

1 >= "a"
%%FAIL The second argument of >= should be an integer, but instead it is: "a"

<<>> >= 1
%%FAIL The first argument of >= should be an integer, but instead it is: <<>>

1 .. "a"
%%FAIL The second argument of .. should be an integer, but instead it is: "a"

"a" .. 2
%%FAIL The first argument of .. should be an integer, but instead it is: "a"

TRUE \/ 1
TRUE

FALSE \/ 1
%%FAIL Attempted to evaluate an expression of form P \/ Q when Q was an integer.

FALSE \/ "x"
%%FAIL Attempted to evaluate an expression of form P \/ Q when Q was a string.

~ 1
%%FAIL Attempted to apply the operator ~ to a non-boolean (an integer)

1 => TRUE
%%FAIL Attempted to evaluate an expression of form P => Q when P was an integer.

TRUE => 1
%%FAIL Attempted to evaluate an expression of form P => Q when Q was an integer.

FALSE => 1
TRUE

1 <=> TRUE
%%FAIL Attempted to evaluate an expression of form P <=> Q when P or Q was not a boolean.

TRUE <=> 1
%%FAIL Attempted to evaluate an expression of form P <=> Q when P or Q was not a boolean.

{1} \subseteq 1
%%FAIL Attempted to check if the value: 1 is an element of the integer 1

1 \subseteq {1}
%%FAIL Attempted to evaluate an expression of form S \subseteq T, but S was not enumerable.

{1} \ 1
%%FAIL Attempted to check if the value: 1 is an element of the integer 1

[x \in 1 |-> x]
%%FAIL Attempted to construct a function over a domain that is an integer.

{x \in 1 : TRUE}
%%FAIL Attempted to evaluate an expression of form {x \in S : P(x)}, but S was an integer.

{x \in {1} : x}
%%FAIL Attempted to evaluate an expression of form {x \in S : P(x)} when P was an integer.

CHOOSE x \in {1, 2} : x
%%FAIL TLC expected a boolean value, but did not find one.

CHOOSE x \in {} : TRUE
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

CHOOSE x \in {1, 2} : x > 2
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but no element of S satisfied P.

CHOOSE x \in 1 : TRUE
%%FAIL Attempted to compute the value of an expression of form CHOOSE x \in S: P, but S was not enumerable.

[[a |-> 1] EXCEPT !.b = 2]
[a |-> 1]

[<<1, 2>> EXCEPT ![3] = 2]
<<1, 2>>

[<<1, 2>> EXCEPT ![1] = 7, ![2] = 8]
<<7, 8>>

[<<<<1>>, 2>> EXCEPT ![1][1] = @ + 7]
<<<<8>>, 2>>

[3 EXCEPT ![1] = 2]
%%FAIL Attempted to apply EXCEPT construct to the value 3.
