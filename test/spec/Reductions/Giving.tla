------------------------------- MODULE Giving -------------------------------
(***************************************************************************)
(* How a step gives h its value. Nothing reads h; but where a step gives   *)
(* it two values they are compared, and there is no step when x is 1.      *)
(***************************************************************************)
EXTENDS Naturals

VARIABLES x, h

Init == x = 0 /\ h = {1}
X == x' = 1 - x
Now == IF x = 1 THEN {} ELSE {1}

SameOnce == X /\ UNCHANGED h /\ h' = Now
OnceSame == X /\ h' = Now /\ UNCHANGED h
ListOnce == X /\ UNCHANGED <<h>> /\ h' = Now
OnceOnce == X /\ h' = {1} /\ h' = Now
SameIn == X /\ UNCHANGED h /\ h' \in {Now}
InSame == X /\ h' \in {Now} /\ UNCHANGED h
SameSubset == X /\ UNCHANGED h /\ h' \subseteq Now
SubsetSame == X /\ h' \subseteq Now /\ UNCHANGED h
SplitSame == X /\ (h' = Now \/ h' = {}) /\ UNCHANGED h
SameSplit == X /\ UNCHANGED h /\ (UNCHANGED <<x, h>> \/ h' = Now)
IfSame == X /\ (IF x = 1 THEN h' = Now ELSE UNCHANGED h) /\ UNCHANGED h
Each == X /\ \A i \in {1, 2} : h' = IF x = 1 THEN {i} ELSE {1}
SomeSame == X /\ (\E i \in {x} : h' = {1 - i}) /\ UNCHANGED h

\* One value, or the same one.
SameSame == X /\ UNCHANGED h /\ UNCHANGED <<h>>
Either == X /\ (h' = Now \/ h' = h \cup {2} \/ UNCHANGED h)
IfOnce == X /\ IF x = 1 THEN h' = Now ELSE h' = {2, 3}
Some == X /\ \E i \in 1 .. 3 : h' = {i}
EachSame == X /\ \A i \in {1, 2} : UNCHANGED h

TypeOK == x \in {0, 1}
=============================================================================
