---- MODULE MessageForms ----
(* Messages of several forms, told apart by the fields that they have. *)
EXTENDS Integers, FiniteSets
CONSTANT Server
VARIABLES msgs, n

Init == msgs = {} /\ n = 0

Send(m) == msgs' = msgs \cup {m}
Sends == \E s \in Server :
  /\ n < 4
  /\ n' = n + 1
  /\ \/ Send([type |-> "req", from |-> s, term |-> n])
     \/ Send([type |-> "ack", from |-> s, ok |-> TRUE])
     \/ Send([type |-> "nop", from |-> s])
Takes == \E m \in msgs : "term" \in DOMAIN m /\ m.term < n /\ msgs' = msgs \ {m} /\ UNCHANGED n
TakesAny == \E m \in msgs : \E f \in {"ok", "from", "term"} :
  f \in DOMAIN m /\ Cardinality(DOMAIN m) = 3 /\ f # "from" /\ msgs' = msgs \ {m} /\ UNCHANGED n
Next == Sends \/ Takes \/ TakesAny

Known == \A m \in msgs :
  /\ {"type", "from"} \subseteq DOMAIN m
  /\ \A k \in DOMAIN m : k \in {"type", "from", "term", "ok"}
  /\ "ok" \in DOMAIN m => m.ok
  /\ "none" \notin DOMAIN m
====
