------------------------------ MODULE Register ------------------------------
(***************************************************************************)
(* A register kept on replicas and read and written through quorums, with  *)
(* many writers (after Attiya, Bar-Noy and Dolev). Every operation has two *)
(* rounds: ask a quorum for its newest tag, then store the value with its  *)
(* tag at a quorum. Replicas and values are interchangeable: SYMMETRY.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Replica, Client, Value, Blank, Operations

VARIABLES
    stored,   \* [Replica -> [tag, val]]
    op,       \* [Client -> what it is doing]
    done,     \* the number of operations that each client has finished
    msgs,     \* requests and answers, consumed when read
    newest    \* ghost: the largest tag of a finished operation

vars == <<stored, op, done, msgs, newest>>

Symmetry == Permutations(Replica) \cup Permutations(Value)

Quorum == {Q \in SUBSET Replica : 2 * Cardinality(Q) > Cardinality(Replica)}

\* Tags are ordered by number, then by client. Clients are numbers.
ZeroTag == [n |-> 0, by |-> 0]
Less(s, t) == s.n < t.n \/ (s.n = t.n /\ s.by < t.by)

Resting == [kind |-> "none", round |-> 0, val |-> Blank, tag |-> ZeroTag,
            heard |-> {}, floor |-> ZeroTag]

Init ==
    /\ stored = [r \in Replica |-> [tag |-> ZeroTag, val |-> Blank]]
    /\ op = [c \in Client |-> Resting]
    /\ done = [c \in Client |-> 0]
    /\ msgs = {}
    /\ newest = ZeroTag

-----------------------------------------------------------------------------
\* The client c. What is left of its last round is forgotten when it begins the next.

Ask(c) == {[type |-> "get", from |-> c, to |-> r] : r \in Replica}

OfClient(c) ==
    {m \in msgs : \/ m.type \in {"get", "put"} /\ m.from = c
                  \/ m.type \in {"got", "ack"} /\ m.to = c}

Start(c, what, v) ==
    /\ op[c].kind = "none"
    /\ done[c] < Operations
    /\ op' = [op EXCEPT ![c] = [Resting EXCEPT !.kind = what, !.round = 1, !.val = v, !.floor = newest]]
    /\ msgs' = (msgs \ OfClient(c)) \cup Ask(c)
    /\ UNCHANGED <<stored, done, newest>>

HearTag(c, m) ==
    /\ m.type = "got"
    /\ m.to = c
    /\ op[c].round = 1
    /\ msgs' = msgs \ {m}
    /\ LET newer == Less(op[c].tag, m.tag)
       IN  op' = [op EXCEPT ![c].heard = @ \cup {m.from},
                            ![c].tag = IF newer THEN m.tag ELSE @,
                            ![c].val = IF newer /\ op[c].kind = "read" THEN m.val ELSE @]
    /\ UNCHANGED <<stored, done, newest>>

\* A quorum has answered: a write takes the next number, a read writes back what it has found.
SecondRound(c) ==
    /\ op[c].round = 1
    /\ op[c].heard \in Quorum
    /\ LET tag == IF op[c].kind = "write" THEN [n |-> op[c].tag.n + 1, by |-> c] ELSE op[c].tag
       IN  /\ op' = [op EXCEPT ![c].round = 2, ![c].tag = tag, ![c].heard = {}]
           /\ msgs' = (msgs \ OfClient(c))
                 \cup {[type |-> "put", from |-> c, to |-> r, tag |-> tag, val |-> op[c].val] : r \in Replica}
    /\ UNCHANGED <<stored, done, newest>>

HearAck(c, m) ==
    /\ m.type = "ack"
    /\ m.to = c
    /\ op[c].round = 2
    /\ msgs' = msgs \ {m}
    /\ op' = [op EXCEPT ![c].heard = @ \cup {m.from}]
    /\ UNCHANGED <<stored, done, newest>>

Finish(c) ==
    /\ op[c].round = 2
    /\ op[c].heard \in Quorum
    /\ done' = [done EXCEPT ![c] = @ + 1]
    /\ newest' = IF Less(newest, op[c].tag) THEN op[c].tag ELSE newest
    /\ op' = [op EXCEPT ![c] = Resting]
    /\ msgs' = msgs \ OfClient(c)
    /\ UNCHANGED stored

-----------------------------------------------------------------------------
\* The replica

Get(m) ==
    /\ m.type = "get"
    /\ msgs' = (msgs \ {m}) \cup {[type |-> "got", from |-> m.to, to |-> m.from,
                                   tag |-> stored[m.to].tag, val |-> stored[m.to].val]}
    /\ UNCHANGED <<stored, op, done, newest>>

Put(m) ==
    /\ m.type = "put"
    /\ stored' = [stored EXCEPT ![m.to] =
                    IF Less(@.tag, m.tag) THEN [tag |-> m.tag, val |-> m.val] ELSE @]
    /\ msgs' = (msgs \ {m}) \cup {[type |-> "ack", from |-> m.to, to |-> m.from]}
    /\ UNCHANGED <<op, done, newest>>

Next ==
    \/ \E c \in Client :
          \/ \E v \in Value : Start(c, "write", v)
          \/ Start(c, "read", Blank)
          \/ SecondRound(c)
          \/ Finish(c)
          \/ \E m \in msgs : HearTag(c, m) \/ HearAck(c, m)
    \/ \E m \in msgs : Get(m) \/ Put(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
MaxTag == Operations * Cardinality(Client)
Tag == [n : 0 .. MaxTag, by : Client \cup {0}]

TypeOK ==
    /\ stored \in [Replica -> [tag : Tag, val : Value \cup {Blank}]]
    /\ op \in [Client -> [kind : {"none", "read", "write"}, round : 0 .. 2, val : Value \cup {Blank},
                          tag : Tag, heard : SUBSET Replica, floor : Tag]]
    /\ done \in [Client -> 0 .. Operations]
    /\ \A m \in msgs : m.type \in {"get", "got", "put", "ack"}
    /\ newest \in Tag

\* An operation that has chosen its tag sees everything that was finished before it began.
Atomic ==
    \A c \in Client : op[c].round = 2 =>
        /\ ~Less(op[c].tag, op[c].floor)
        /\ op[c].kind = "write" => Less(op[c].floor, op[c].tag)

\* The newest finished value is at a quorum, or overwritten there by a newer one.
Durable ==
    \E Q \in Quorum : \A r \in Q : ~Less(stored[r].tag, newest)

SameTagSameValue ==
    \A r, s \in Replica : stored[r].tag = stored[s].tag => stored[r].val = stored[s].val
=============================================================================
