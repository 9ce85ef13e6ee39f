---- MODULE Long ----
EXTENDS Naturals, Sequences
VARIABLES x, node, log
Init == x = 0 /\ node = [n \in {"a", "b"} |-> [term |-> 0, up |-> TRUE]] /\ log = <<>>
Inc == x' = x + 1 /\ UNCHANGED <<node, log>>
Note(v) == x % 3 = 2 /\ node' = [node EXCEPT !["b"].term = v] /\ x' = x + 1 /\ log' = Append(log, v)
Next == (x % 3 # 2 /\ Inc) \/ Note(x)
Bound == x < 12
====
