---- MODULE Fields ----
\* Fields of records that have the names of other things.
EXTENDS Naturals
VARIABLE n
size == 3
limit == 4
Inner == [deep |-> [size |-> 1]]
Known == [limit |-> n, other |-> 1]
Again == [limit |-> 1, other |-> 2]
Init == n = 0 /\ Inner.deep.size = 1 /\ Again.limit = 1
Next == n' = n
Inv == [size : {1}] = {[size |-> 1]}
====
