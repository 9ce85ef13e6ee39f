------------------------------ MODULE Formulas ------------------------------
(* Temporal formulas of every form, for a counter that goes round; y is    *)
(* turned over now and then.                                                *)
EXTENDS Naturals
CONSTANT Flag
VARIABLES x, y
vars == <<x, y>>

Init == x = 0 /\ y = 0
Up == x' = (x + 1) % 4 /\ y' = y
Turn == x = 2 /\ y' = 1 - y /\ x' = x
Next == Up \/ Turn
Spec == Init /\ [][Next]_vars /\ WF_vars(Up)

------ MODULE Inner ------
VARIABLE v
Comes(n) == <>(v = n)
Again == []<>(v = 0)
===========================
I == INSTANCE Inner WITH v <- x
J(w) == INSTANCE Inner WITH v <- w

Leads(a, b) == x = a ~> x = b
Ev(P(_)) == <>P(x)
Both(P(_), Q(_)) == []<>P(x) /\ []<>Q(x)
Two == 2

EquivHolds == ([](x = 0)) \equiv FALSE
EquivFails == ([]<>(x = 0)) \equiv ([](x = 0))
AllOfNone == \A i \in {} : []<>(x = i)
SomeOfNone == \E i \in {} : []<>(x = i)
Pairs == \A <<i, j>> \in {<<0, 1>>, <<1, 3>>} : (x = i) ~> (x = j)
PairsFail == \A <<i, j>> \in {<<0, 1>>, <<1, 4>>} : (x = i) ~> (x = j)
SomePair == \E i \in {4, 3}, j \in {5, 0} : Leads(i, j) /\ <>(x = i)
IfHolds == IF x = 0 THEN <>(x = 1) ELSE []FALSE
IfFails == IF x = 0 THEN <>(x = 7) ELSE []TRUE
Label == lab :: []<>(x = 0)
LetHolds == LET t == 2 IN <>(x = t)
LetFails == LET t == 9 g(n) == <>(x = n) IN g(t)
LambdaHolds == Ev(LAMBDA n : n = 2)
LambdaFails == Ev(LAMBDA n : n = 8)
BothHold == Both(LAMBDA n : n = 2, LAMBDA n : n # Two)
Instance == I!Comes(3) /\ I!Again /\ J(x)!Again
InstanceFails == J(y)!Comes(1)
LeadsHolds == Leads(0, 3)
LeadsFails == Leads(0, 5)
Steps == []<><<Up>>_vars
StepsFail == []<><<Turn>>_vars
EverStays == <>[][x' = x]_x
FlagOr == Flag \/ <>(x = 9)
FlagAnd == Flag => <>(x = 9)
NotAgain == ~[]<>(x = 1)
Implies == []<>(x = 1) => []<>(x = 2)
Nested == [](x = 1 => <>(x = 2 /\ <>(x = 0)))
FairWeak == WF_vars(Turn)
FairHolds == SF_vars(Up)
NotFair == ~SF_vars(Turn)
CaseLike == (x = 0 /\ <>(y = 1)) \/ [](y = 0) \/ y = 1

Act == x' = x + 1
BoxAct == [x' = x + 1]_x
AngleAct == <<x' = x + 1>>_x
TwoNext == Init /\ [][Next]_vars /\ [][Up]_vars
FalseSpec == Init /\ FALSE /\ [][Next]_vars
NoX == Init /\ [][Next]_y
BoxState == Init /\ [](x = 0) /\ [][Next]_vars
=============================================================================
