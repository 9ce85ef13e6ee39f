---- MODULE Folds ----
(* Queues that are added up by a recursive operator, deeper than a device recurses: most steps, and
   the invariant on full queues, are left to the host. *)
EXTENDS Naturals, Sequences

CONSTANTS Queues, Length

VARIABLES queue, rest

RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))

Init == queue = [i \in 1 .. Queues |-> <<>>] /\ rest = 0

Put(i) ==
    /\ Len(queue[i]) < Length
    /\ \E v \in 0 .. 2 : queue' = [queue EXCEPT ![i] = Append(@, v)]
    /\ UNCHANGED rest

Fold(i) ==
    /\ Len(queue[i]) = Length
    /\ rest' = (rest + Sum(queue[i])) % 7
    /\ queue' = [queue EXCEPT ![i] = <<>>]

Next == \E i \in 1 .. Queues : Put(i) \/ Fold(i)

Spec == Init /\ [][Next]_<<queue, rest>>

Bounded == \A i \in 1 .. Queues : Sum(queue[i]) <= 2 * Length
Small == rest + Sum(queue[1]) < 16
====
