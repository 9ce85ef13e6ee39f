------------------------------- MODULE Labels -------------------------------
(* Pinger whose actions stand in conjunctions of all kinds. *)
EXTENDS Pinger
VARIABLE steps

Few == steps < 1000
Count == steps' = steps + 1

LabelsNext ==
    \/ \E i \in Node : Ping(i) /\ Count
    \/ /\ Few
       /\ \/ \E i \in Node, v \in 1..2 : Add(i, v)
          \/ \E i \in Node : IF Few THEN \E j \in Node : Receive(i, j) ELSE FALSE
       /\ Count
    \/ Count /\ Few /\ \E i \in Node : LET down == Crash(i) IN down
    \/ \E i \in Node : (Isolate(i) \/ Restart(i)) /\ UNCHANGED steps
    \/ Heal /\ Count

LabelsSpec == Init /\ steps = 0 /\ [][LabelsNext]_<<vars, steps>>
=============================================================================
