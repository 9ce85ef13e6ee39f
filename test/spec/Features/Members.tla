---- MODULE Members ----
\* Type invariants: membership in sets of all forms, none of which needs to be made.
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Node, Nil
VARIABLES box, part, queue, many, dom, log
Kinds == [type : {"a"}, n : 0..2] \cup [type : {"b"}, from : Node]
Init ==
    /\ box = [x \in Node |-> Nil]
    /\ part = <<>>
    /\ queue = <<>>
    /\ many = {}
    /\ dom = {}
    /\ log = [x \in {} |-> 0]
Put(x) == /\ box' = [box EXCEPT ![x] = IF box[x] = Nil THEN [type |-> "a", n |-> 1] ELSE Nil]
          /\ UNCHANGED <<part, queue, many, dom, log>>
Grow(x) == /\ Len(part) < 2 /\ part' = Append(part, Len(part))
           /\ many' = many \cup {[type |-> "b", from |-> x]}
           /\ UNCHANGED <<box, queue, dom, log>>
Queue(x) == /\ Len(queue) < 2 /\ queue' = Append(queue, [type |-> "b", from |-> x])
            /\ dom' = dom \cup {x} /\ log' = [y \in dom \cup {x} |-> Len(queue)]
            /\ UNCHANGED <<box, part, many>>
Next == \E x \in Node : Put(x) \/ Grow(x) \/ Queue(x)
T1 == box \in [Node -> Kinds \cup {Nil}]
T2 == part \in UNION {[1..k -> 0..3] : k \in 0..3}
T3 == queue \in Seq(Kinds)
T4 == many \in SUBSET Kinds
T5 == log \in [dom -> 0..2]
T6 == \A x \in Node : box[x] \in {Nil} \cup [type : {"a", "b"}, n : Nat]
T7 == many \in SUBSET ([type : {"b"}, from : Node] \cup [type : {"a"}, n : Nat])
T8 == [a |-> box, b |-> queue] \in [a : [Node -> Kinds \cup {Nil}], b : Seq([type : {"b"}, from : Node])]
T9 == <<part, dom>> \in Seq(0..3) \X SUBSET Node
T10 == part \in UNION {[1..k -> 0..Len(queue) + 3] : k \in 0..Cardinality(dom) + 3}
T11 == part \in UNION {[1..k -> {0}] : k \in 0..3} <=> \A i \in DOMAIN part : part[i] = 0
====
