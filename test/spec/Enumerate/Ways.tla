---- MODULE Ways ----
\* How often a successor is generated when a guard with several ways to be true stands behind a name:
\* a definition of LET is enumerated wherever it is a conjunct, an argument only until its value is known.
EXTENDS Naturals, Sequences
VARIABLES x, s
Init == x = 0 /\ s = <<>>
Step == x' = x + 1 /\ UNCHANGED s
Let == LET h == s = <<>> \/ x = 1 IN x < 3 /\ h /\ Step
LetAgain == LET h == s = <<>> \/ x = 1 IN x < 3 /\ (h => x < 5) /\ h /\ Step
Twice(h) == x < 3 /\ h /\ (h \/ ~h) /\ Step
Branch(h) == x < 3 /\ (IF x = 1 THEN h ELSE TRUE) /\ h /\ Step
Known(h) == x < 3 /\ (IF h THEN 1 = 1 ELSE FALSE) /\ x' = (IF h THEN x + 1 ELSE x + 1) /\ h /\ UNCHANGED s
Exists == LET h == \E i \in 1..3 : i > x IN h /\ x' = (IF h THEN x + 1 ELSE x + 1) /\ h /\ UNCHANGED s
Nested == LET h == \E i \in 1..3 : i > x
              g == h \/ x < 2
          IN ~h = FALSE /\ g /\ h /\ Step
ArgTwice == Twice(s = <<>> \/ x < 2)
ArgBranch == Branch(s = <<>> \/ x < 2)
ArgKnown == Known(s = <<>> \/ x < 2)
====
