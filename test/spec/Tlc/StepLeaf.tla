---- MODULE StepLeaf ----
\* The action of a fairness condition is not evaluated on steps that change nothing: here it
\* would compare a number with a string.
EXTENDS Naturals
VARIABLES pc, out
vars == <<pc, out>>
Init == pc = "add" /\ out = 0
Add == pc = "add" /\ out' = 10 /\ pc' = "show"
Show == pc = "show" /\ out' = "10" /\ pc' = "done"
Next == Add \/ Show
Spec == Init /\ [][Next]_vars /\ WF_vars(Add) /\ WF_vars(Show)
Ends == <>(pc = "done")
====
