-------------------------------- MODULE TraceLog --------------------------------
(* A trace specification: the log of a program with two kinds of messages and a table, followed line by line.
   The log is computed instead of read, so that nothing else is needed. *)
EXTENDS Integers, Sequences

CONSTANT Lines
Node(i) == <<"n1", "n2", "n3">>[1 + (i % 3)]
Log == [i \in 1..Lines |-> IF i % 10 = 0 THEN [event |-> "Set", key |-> 1 + (i % 7), value |-> i % 5, node |-> ""]
                           ELSE [event |-> IF i % 2 = 1 THEN "Send" ELSE "Receive", key |-> 0, value |-> 0, node |-> Node(i)]]
Nodes == {"n1", "n2", "n3"}
Keys == 1..100

VARIABLES line, sent, table, history
vars == <<line, sent, table, history>>
now == Log[line]
Is(event) == line <= Len(Log) /\ now.event = event

Init == line = 1 /\ sent = [n \in Nodes |-> 0] /\ table = [k \in Keys |-> 0] /\ history = <<>>
Send(n) == Is("Send") /\ now.node = n /\ sent' = [sent EXCEPT ![n] = @ + 1] /\ UNCHANGED <<table, history>>
Receive(n, b, e) ==
    /\ Is("Receive")
    /\ b <= e
    /\ now.node = n
    /\ b = 1 /\ e = 1
    /\ UNCHANGED <<sent, table, history>>
Set(k, v) == /\ Is("Set") /\ now.key = k
             /\ now.value = v
             /\ table' = [table EXCEPT ![k] = v]
             /\ history' = Append(history, k)
             /\ UNCHANGED sent
Read == \/ \E n \in Nodes : Send(n)
        \/ \E n \in Nodes : Is("Receive") /\ \E b, e \in 1..Len(history) + 1 : Receive(n, b, e)
        \/ \E k \in Keys : \E v \in 0..4 : Set(k, v)
Next == Read /\ line' = line + 1

Apart == /\ \A k, m \in Keys : table[k] + table[m] < 9
         /\ line > 0
Small == \A k, m \in Keys : table[k] * table[m] < 17
Steps == [][line' = line + 1 /\ \E b, e \in 1..Len(history) + 1 : b = e]_vars
=============================================================================
