-------------------------------- MODULE Forms --------------------------------
(* Messages of two forms: only "put" has a key, only "ack" has an ok. *)
EXTENDS Integers

VARIABLES msgs, n

Message == [type : {"put"}, key : 0 .. 3] \cup [type : {"ack"}, ok : 0 .. 3]

Init == msgs = {} /\ n = 0

Send(m) == n < 3 /\ msgs' = msgs \cup {m} /\ n' = n + 1

Next == \/ \E k \in 0 .. 3 : Send([type |-> "put", key |-> k]) \/ Send([type |-> "ack", ok |-> k])
        \/ n = 3 /\ UNCHANGED <<msgs, n>>

TypeOK == msgs \subseteq Message

Puts(k) == {m \in msgs : m.type = "put" /\ m.key = k}
Acks == {m \in msgs : m.type \notin {"put"} /\ m.ok >= 2}

Apart == \A k \in 0 .. 3 : Puts(k) \cap Acks = {} /\ \A m \in Puts(k) : m.key = k

\* An "ack" has no key: an error, whatever its type is compared with afterwards.
KeyFirst == n = 3 => {m \in msgs : m.key = 1 /\ m.type = "none"} = {}

KeyFirstOf == \A k \in 0 .. 3 : n = 3 => ~\E m \in msgs : m.key = k /\ m.type = "none"
==============================================================================
