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

\* The filter is made before a message is taken from it.
TakeOf(S) == \E m \in S : n' = m.key /\ UNCHANGED msgs
Mixed == n = 3 /\ Acks # {} /\ \E k \in 0 .. 3 : Puts(k) # {}
TakeFirst == Mixed => ENABLED TakeOf({m \in msgs : m.key >= 0})
BackOf(S) == n' \in {k \in S : k = 0 \/ (CHOOSE z \in {1} : z > n) = 1} /\ UNCHANGED msgs
BackFirst == n = 3 => ENABLED BackOf({0, n})
\* Here the first one that TLC comes to decides.
TakeAny == Mixed => ENABLED TakeOf(msgs)

KeyFirstOf == \A k \in 0 .. 3 : n = 3 => ~\E m \in msgs : m.key = k /\ m.type = "none"
==============================================================================
