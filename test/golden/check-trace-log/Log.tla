-------------------------------- MODULE Log --------------------------------
(* Two kinds of messages counted by node, and a table. The log is read once. *)
EXTENDS Integers, Sequences, TLC, Json, IOUtils

ASSUME TLCGet("config").worker = 1
Log == ndJsonDeserialize(IOEnv.LOG)
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
Next == Read /\ line' = line + 1 /\ (line % 2000 = 0 => PrintT(<<"line", line>>))

Apart == /\ \A k, m \in Keys : table[k] + table[m] < 9
         /\ line > 0
Small == \A k, m \in Keys : table[k] * table[m] < 17
Steps == [][line' = line + 1 /\ \E b, e \in 1..Len(history) + 1 : b = e]_vars
Read_all == [](line <= Len(Log) => [](TLCGet("queue") = 1 \/ line > Len(Log)))
=============================================================================
