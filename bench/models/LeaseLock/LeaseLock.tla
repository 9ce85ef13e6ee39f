----------------------------- MODULE LeaseLock ------------------------------
(***************************************************************************)
(* A lock service that hands out leases, to clients whose clocks differ    *)
(* from the server's by at most Skew. The server adds that margin before   *)
(* it gives the lock to the next. Writes to the storage carry the token of *)
(* the lease, so that a late write of an old holder is refused.            *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Client, Nobody, Lease, Skew, MaxTime, MaxToken

VARIABLES
    now,       \* the server's clock
    clock,     \* those of the clients
    lock,      \* what the server knows: holder, expiry, token
    client,    \* state of each client
    msgs,      \* messages on their way: each is received once, in any order, or lost
    stored     \* the last write that the storage took: token and number

vars == <<now, clock, lock, client, msgs, stored>>

Idle == [state |-> "idle", asked |-> 0, until |-> 0, token |-> 0]

Init ==
    /\ now = Skew
    /\ clock = [c \in Client |-> Skew]
    /\ lock = [holder |-> Nobody, expires |-> 0, token |-> 0]
    /\ client = [c \in Client |-> Idle]
    /\ msgs = {}
    /\ stored = [token |-> 0, writes |-> 0]

-----------------------------------------------------------------------------
\* Time

Tick ==
    /\ now < MaxTime
    /\ \A c \in Client : clock[c] + Skew > now
    /\ now' = now + 1
    /\ UNCHANGED <<clock, lock, client, msgs, stored>>

ClientTick(c) ==
    /\ clock[c] < now + Skew
    /\ clock[c] < MaxTime
    /\ clock' = [clock EXCEPT ![c] = @ + 1]
    /\ UNCHANGED <<now, lock, client, msgs, stored>>

-----------------------------------------------------------------------------
\* The client c

Ask(c) ==
    /\ client[c].state = "idle"
    /\ client' = [client EXCEPT ![c].state = "waiting", ![c].asked = clock[c]]
    /\ msgs' = msgs \cup {[type |-> "ask", from |-> c, at |-> clock[c]]}
    /\ UNCHANGED <<now, clock, lock, stored>>

\* The lease counts from the moment of asking.
Granted(c, m) ==
    /\ m.type = "grant"
    /\ m.to = c
    /\ msgs' = msgs \ {m}
    /\ client' = IF client[c].state = "waiting" /\ client[c].asked = m.at
                    THEN [client EXCEPT ![c] = [state |-> "holding", asked |-> m.at,
                                                until |-> m.at + Lease, token |-> m.token]]
                    ELSE client
    /\ UNCHANGED <<now, clock, lock, stored>>

Holds(c) == client[c].state = "holding" /\ clock[c] < client[c].until

Write(c) ==
    /\ Holds(c)
    /\ LET m == [type |-> "write", token |-> client[c].token]
       IN  m \notin msgs /\ msgs' = msgs \cup {m}
    /\ UNCHANGED <<now, clock, lock, client, stored>>

Release(c) ==
    /\ Holds(c)
    /\ client' = [client EXCEPT ![c] = Idle]
    /\ msgs' = msgs \cup {[type |-> "release", from |-> c, token |-> client[c].token]}
    /\ UNCHANGED <<now, clock, lock, stored>>

\* The lease is over, or there was no answer.
GiveUp(c) ==
    /\ \/ client[c].state = "holding" /\ ~Holds(c)
       \/ client[c].state = "waiting" /\ clock[c] >= client[c].asked + Lease
    /\ client' = [client EXCEPT ![c] = Idle]
    /\ UNCHANGED <<now, clock, lock, msgs, stored>>

-----------------------------------------------------------------------------
\* The server

Free == lock.holder = Nobody \/ now >= lock.expires + 2 * Skew

Grant(m) ==
    /\ m.type = "ask"
    /\ Free
    /\ lock.token < MaxToken
    /\ lock' = [holder |-> m.from, expires |-> now + Lease, token |-> lock.token + 1]
    /\ msgs' = (msgs \ {m}) \cup {[type |-> "grant", to |-> m.from, at |-> m.at, token |-> lock.token + 1]}
    /\ UNCHANGED <<now, clock, client, stored>>

Released(m) ==
    /\ m.type = "release"
    /\ msgs' = msgs \ {m}
    /\ lock' = IF lock.token = m.token THEN [lock EXCEPT !.holder = Nobody] ELSE lock
    /\ UNCHANGED <<now, clock, client, stored>>

\* The storage
Store(m) ==
    /\ m.type = "write"
    /\ msgs' = msgs \ {m}
    /\ stored' = IF m.token < stored.token THEN stored
                 ELSE IF m.token = stored.token THEN [stored EXCEPT !.writes = 1]
                 ELSE [token |-> m.token, writes |-> 0]
    /\ UNCHANGED <<now, clock, lock, client>>

Lose(m) ==
    /\ msgs' = msgs \ {m}
    /\ UNCHANGED <<now, clock, lock, client, stored>>

Next ==
    \/ Tick
    \/ \E c \in Client :
          \/ ClientTick(c) \/ Ask(c) \/ Write(c) \/ Release(c) \/ GiveUp(c)
          \/ \E m \in msgs : Granted(c, m)
    \/ \E m \in msgs : Grant(m) \/ Released(m) \/ Store(m) \/ Lose(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Time == 0 .. MaxTime

TypeOK ==
    /\ now \in Time
    /\ clock \in [Client -> Time]
    /\ lock \in [holder : Client \cup {Nobody}, expires : 0 .. MaxTime + Lease, token : 0 .. MaxToken]
    /\ client \in [Client -> [state : {"idle", "waiting", "holding"}, asked : Time,
                              until : 0 .. MaxTime + Lease, token : 0 .. MaxToken]]
    /\ \A m \in msgs : m.type \in {"ask", "grant", "write", "release"}
    /\ stored \in [token : 0 .. MaxToken, writes : 0 .. 1]

ClocksAgree == \A c \in Client : clock[c] <= now + Skew /\ now <= clock[c] + Skew

MutualExclusion == \A c, d \in Client : (Holds(c) /\ Holds(d)) => c = d

TokensOrdered ==
    /\ stored.token <= lock.token
    /\ \A c \in Client : Holds(c) => client[c].token = lock.token
=============================================================================
