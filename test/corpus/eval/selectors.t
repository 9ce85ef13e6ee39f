# Names of subexpressions. The values are those of TLC (tlaplus/tlaplus at cc6b616).

%%ARGS --module test/corpus/eval/Selectors.tla

P(1, 2)!1
TRUE

P(1, 2)!2
TRUE

P(1, 2)!2!1
{1, 2}

P(1, 2)!2!2
{2}

P(1, 2)!2!(5, 5)
TRUE

P(1, 2)!2!(5, 6)!<<
5

P(1, 2)!2!(5, 6)!>>
6

P(1, 2)!lab(5, 6)
FALSE

P(1, 2)!lab(6, 6)
TRUE

P(1, 2)!3
TRUE

P(1, 2)!3!1
FALSE

P(1, 2)!3!3!1!1
FALSE

P(1, 2)!3!3!1!2
FALSE

P(1, 2)!3!3!2!2
TRUE

P(1, 2)!3!3!2!2!<<
1

Q(1)!:
121

Q(1)!:!z
10

Q(1)!:!W(5)
15

Q(1)!:!W(5)!1
5

Q(1)!:!W(5)!2
10

Q(1)!:!g
<<11, 12>>

Q(1)!:!g[2]
12

Q(1)!:!g!1
{1, 2}

Q(1)!:!g!(7)
17

Q(1)!:!h[2, 3]
15

Q(1)!:!h!(7, 8)
25

Q(1)!1
121

Q(1)!1!1
110

Q(1)!2
%%FAIL there is no such operand

Q(1)!1!<<
110

Q(1)!1!>>
11

In(1)!:!I!Plus(4)
5

In(1)!:!I!Twice
2

In(1)!:!I!Both(4, 5)
<<5, 4>>

In(1)!:!I!Both(4, 5)!1
5

In(1)!:!I!f
<<2, 3>>

In(1)!:!I!f[1]
2

In(1)!:!I!f!1
{1, 2}

In(1)!:!J(2)!Twice
6

In(1)!:!J(2)!Plus(7)
10

In(1)!:!J(2)!Plus(7)!1
7

In(1)!:!J(2)!Both(7, 8)!2
5

In(1)!1!1
2

Ap(In(1)!:!I!Plus, 3)
%%FAIL an operator that is an argument cannot have arguments in its name

A1!1(5)
%%FAIL expected the end of the text but found `(`

A1!2
20

A2(3)!1(5)
%%FAIL expected the end of the text but found `(`

A2(3)!1!(5)
8

A2(3)!1!(5)!2
3

A3!1(8, 2)
%%FAIL expected the end of the text but found `(`

A4(5)!1!1(7)
%%FAIL expected the end of the text but found `(`

A4(5)!:!T(7)
15

Ap(A1!1, 6)
-6

Ap2(A3!1, 6, 1)
5

Ap2(A4!:!T, 6, 1)
10

Ap2(Q!:!W, 6, 1)
16

Ap2(P!1, 1, 1)
TRUE

Ap2(Sub!:, 1, 7)
-6

Ap(Q!:!z, 4)
13

Ap(Filter!@, 3)
TRUE

Deep!1!1
8

Deep!1!:!b
%%FAIL !: stands only after a name, at the end or before a name

Deep!:!a
1

Deep!1!1!:!d(9)
%%FAIL !: stands only after a name, at the end or before a name

Rec!1
11

Rec!2!1
12

RecSet!1
{1, 2}

RecSet!2
{3}

Fun!1
{1, 2}

Fun!2
{3}

Fun!(4, 5)
20

Fun!(4, 5)!1
4

Choice!1
{4, 5}

Choice!(9)
TRUE

Map!1
{1, 2}

Map!2
{30}

Map!(4, 5)
9

Filter!1
{1, 2, 3}

Filter!(0)
FALSE

Tup!1
7

Tup!2!2
9

Tup!3!1
10

Exc!1
[x |-> 11, y |-> [z |-> 12]]

App2!1
(<<1, 3>> :> 3 @@ <<2, 3>> :> 6)

App2!2
<<1, 3>>

App2!2!1
1

Dot!1
[z |-> 12]

Dot!2
"z"

Dot!1!1
[x |-> 11, y |-> [z |-> 12]]

Conj!lab1
7

Conj!lab1!2
6

Conj!lab1!2!1
2

K!Plus(1)!2
50

K!Both(1, 2)!2!1
2

KK(6)!Both(1, 2)!2!2
6

KK(6)!f!(3)
9

Ap(K!Plus, 8)
58

Ap2(KK!Plus, 6, 8)
14

Ap(One!lab2, 3)
8

Ap(Two!lab3, 3)
{13}


A(5)!B(2, 3)!Sum(LAMBDA z : 10 * z)
220

A(5)!B(2, 3)!Pair(1)
<<7, 15, 1>>

Beside!lab(1)
TRUE

Beside!lab(2)
FALSE

Within!:!AA(5)!B(2, 3)!Sum(LAMBDA z : 10 * z)
220
