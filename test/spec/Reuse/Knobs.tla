------------------------------- MODULE Knobs -------------------------------
(* A small protocol with a constant in every kind of place: guards, values, sets that are enumerated, constraints, invariants,    *)
(* recursive and higher-order operators, operators that the configuration chooses. Each of them changes the numbers of states:    *)
(* test/run-tiers changes them one by one and lets all runs share one cache of compiled code.                                     *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Node, Nobody,   \* model values
          MaxTerm,        \* in a guard
          MaxLog,         \* in a guard, of a sequence
          MaxSent,        \* in the constraint
          Step,           \* in an assigned value
          Weight,         \* in a recursive operator
          Kinds,          \* a set that is enumerated
          Fast,           \* a boolean
          Pick(_),        \* an operator, chosen by the configuration
          Limit           \* in an action property

VARIABLES term, log, sent, owner

vars == <<term, log, sent, owner>>

RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Weight * Head(s) + Sum(Tail(s))

Small(x) == x < 2
Large(x) == x > 0

Init == /\ term = [n \in Node |-> 0]
        /\ log = <<>>
        /\ sent = {}
        /\ owner = Nobody

Tick(n) == /\ term[n] + Step <= MaxTerm
           /\ term' = [term EXCEPT ![n] = @ + Step]
           /\ UNCHANGED <<log, sent, owner>>

Send(n) == \E k \in Kinds : /\ Pick(term[n])
                            /\ sent' = sent \cup {[from |-> n, kind |-> k, term |-> term[n]]}
                            /\ UNCHANGED <<term, log, owner>>

Take == \E m \in sent : /\ IF Fast THEN TRUE ELSE m.term = term[m.from]
                        /\ Len(log) < MaxLog
                        /\ Sum(log) < 4
                        /\ log' = Append(log, m.term)
                        /\ owner' = m.from
                        /\ UNCHANGED <<term, sent>>

Drop == /\ owner # Nobody
        /\ owner' = Nobody
        /\ sent' = {m \in sent : m.from # owner}
        /\ UNCHANGED <<term, log>>

Next == \/ \E n \in Node : Tick(n)
        \/ \E n \in Node : Send(n)
        \/ Take
        \/ Drop

Spec == Init /\ [][Next]_vars

Few == Cardinality(sent) <= MaxSent

TypeOK == /\ term \in [Node -> 0 .. MaxTerm]
          /\ owner \in Node \cup {Nobody}
          /\ \A m \in sent : m.kind \in Kinds
          /\ Len(log) <= MaxLog

Slow == [][\A n \in Node : term'[n] - term[n] <= Limit]_vars
=============================================================================
