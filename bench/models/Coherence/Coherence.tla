----------------------------- MODULE Coherence ------------------------------
(***************************************************************************)
(* A directory protocol that keeps caches coherent (states M, S, I and the *)
(* waiting ones between them), for one address. The directory serves one   *)
(* request at a time. Requests wait in req; everything else goes through   *)
(* two queues per cache, one in each direction.                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Cache, Data, Nobody

VARIABLES
    state,     \* [Cache -> state]
    data,      \* [Cache -> Data]: what the cache holds, if it holds something
    req,       \* [Cache -> request]: what the cache has asked for
    memory,
    owner,     \* the directory: the cache in M, or Nobody
    sharers,   \* the directory: those that may be in S
    job,       \* what the directory is doing
    toCache,   \* [Cache -> Seq(message)]
    toHome,    \* [Cache -> Seq(message)]
    latest     \* ghost: the last value that was stored

cacheVars == <<state, data, req>>
homeVars == <<memory, owner, sharers, job>>
queues == <<toCache, toHome>>
vars == <<cacheVars, homeVars, queues, latest>>

NoJob == [kind |-> "none", for |-> Nobody, waiting |-> {}]
First == CHOOSE d \in Data : TRUE

Init ==
    /\ state = [c \in Cache |-> "I"]
    /\ data = [c \in Cache |-> First]
    /\ req = [c \in Cache |-> "none"]
    /\ memory = First
    /\ owner = Nobody
    /\ sharers = {}
    /\ job = NoJob
    /\ toCache = [c \in Cache |-> <<>>]
    /\ toHome = [c \in Cache |-> <<>>]
    /\ latest = First

-----------------------------------------------------------------------------
\* The processor next to cache c

AskShared(c) ==
    /\ state[c] = "I"
    /\ state' = [state EXCEPT ![c] = "IS"]
    /\ req' = [req EXCEPT ![c] = "GetS"]
    /\ UNCHANGED <<data, homeVars, queues, latest>>

AskModified(c) ==
    /\ state[c] \in {"I", "S"}
    /\ state' = [state EXCEPT ![c] = "IM"]
    /\ req' = [req EXCEPT ![c] = "GetM"]
    /\ UNCHANGED <<data, homeVars, queues, latest>>

Store(c, d) ==
    /\ state[c] = "M"
    /\ data' = [data EXCEPT ![c] = d]
    /\ latest' = d
    /\ UNCHANGED <<state, req, homeVars, queues>>

\* A shared copy goes without a word; a modified one is written back.
Evict(c) ==
    \/ /\ state[c] = "S"
       /\ state' = [state EXCEPT ![c] = "I"]
       /\ UNCHANGED <<data, req, homeVars, queues, latest>>
    \/ /\ state[c] = "M"
       /\ state' = [state EXCEPT ![c] = "MI"]
       /\ toHome' = [toHome EXCEPT ![c] = Append(@, [type |-> "PutM", data |-> data[c]])]
       /\ UNCHANGED <<data, req, homeVars, toCache, latest>>

-----------------------------------------------------------------------------
\* Cache c reads its queue

Reply(c, m) ==
    /\ toCache' = [toCache EXCEPT ![c] = Tail(@)]
    /\ toHome' = [toHome EXCEPT ![c] = Append(@, m)]

CacheReceive(c) ==
    /\ toCache[c] # <<>>
    /\ LET m == Head(toCache[c])
       IN  CASE m.type = "Data" ->
                  /\ state' = [state EXCEPT ![c] = m.grant]
                  /\ data' = [data EXCEPT ![c] = m.data]
                  /\ toCache' = [toCache EXCEPT ![c] = Tail(@)]
                  /\ UNCHANGED toHome
             [] m.type = "Inv" ->
                  /\ state' = [state EXCEPT ![c] = IF @ = "S" THEN "I" ELSE @]
                  /\ Reply(c, [type |-> "InvAck"])
                  /\ UNCHANGED data
             [] m.type = "Fetch" /\ state[c] = "M" ->
                  /\ state' = [state EXCEPT ![c] = m.keep]
                  /\ Reply(c, [type |-> "WriteBack", data |-> data[c]])
                  /\ UNCHANGED data
             [] m.type = "Fetch" /\ state[c] # "M" ->  \* our PutM is on its way and will do
                  /\ toCache' = [toCache EXCEPT ![c] = Tail(@)]
                  /\ UNCHANGED <<state, data, toHome>>
             [] m.type = "PutAck" ->
                  /\ state' = [state EXCEPT ![c] = "I"]
                  /\ toCache' = [toCache EXCEPT ![c] = Tail(@)]
                  /\ UNCHANGED <<data, toHome>>
    /\ UNCHANGED <<req, homeVars, latest>>

-----------------------------------------------------------------------------
\* The directory

Tell(c, m) == toCache' = [toCache EXCEPT ![c] = Append(@, m)]

ServeShared(c) ==
    /\ job = NoJob
    /\ req[c] = "GetS"
    /\ req' = [req EXCEPT ![c] = "none"]
    /\ IF owner = Nobody
          THEN /\ Tell(c, [type |-> "Data", grant |-> "S", data |-> memory])
               /\ sharers' = sharers \cup {c}
               /\ UNCHANGED job
          ELSE /\ Tell(owner, [type |-> "Fetch", keep |-> "S"])
               /\ job' = [kind |-> "GetS", for |-> c, waiting |-> {owner}]
               /\ UNCHANGED sharers
    /\ UNCHANGED <<state, data, memory, owner, toHome, latest>>

ServeModified(c) ==
    /\ job = NoJob
    /\ req[c] = "GetM"
    /\ req' = [req EXCEPT ![c] = "none"]
    /\ LET others == sharers \ {c}
       IN  CASE owner # Nobody ->
                  /\ Tell(owner, [type |-> "Fetch", keep |-> "I"])
                  /\ job' = [kind |-> "GetM", for |-> c, waiting |-> {owner}]
                  /\ UNCHANGED <<owner, sharers>>
             [] owner = Nobody /\ others # {} ->
                  /\ toCache' = [x \in Cache |->
                        IF x \in others THEN Append(toCache[x], [type |-> "Inv"]) ELSE toCache[x]]
                  /\ job' = [kind |-> "GetM", for |-> c, waiting |-> others]
                  /\ UNCHANGED <<owner, sharers>>
             [] OTHER ->
                  /\ Tell(c, [type |-> "Data", grant |-> "M", data |-> memory])
                  /\ owner' = c
                  /\ sharers' = {}
                  /\ UNCHANGED job
    /\ UNCHANGED <<state, data, memory, toHome, latest>>

\* The job is done: d is what memory holds now, left are the caches that keep a shared copy.
Finish(queue, d, left) ==
    /\ toCache' = [queue EXCEPT ![job.for] = Append(@,
          [type |-> "Data", grant |-> IF job.kind = "GetS" THEN "S" ELSE "M", data |-> d])]
    /\ owner' = IF job.kind = "GetS" THEN Nobody ELSE job.for
    /\ sharers' = IF job.kind = "GetS" THEN left \cup {job.for} ELSE {}
    /\ job' = NoJob

HomeReceive(c) ==
    /\ toHome[c] # <<>>
    /\ toHome' = [toHome EXCEPT ![c] = Tail(@)]
    /\ LET m == Head(toHome[c])
       IN  CASE m.type = "InvAck" ->
                  /\ IF job.waiting = {c}
                        THEN Finish(toCache, memory, {})
                        ELSE /\ job' = [job EXCEPT !.waiting = @ \ {c}]
                             /\ UNCHANGED <<owner, sharers, toCache>>
                  /\ UNCHANGED memory
             [] m.type = "WriteBack" ->
                  /\ memory' = m.data
                  /\ Finish(toCache, m.data, {c})
             [] m.type = "PutM" ->
                  LET acked == [toCache EXCEPT ![c] = Append(@, [type |-> "PutAck"])]
                  IN  /\ memory' = m.data
                      /\ IF c \in job.waiting
                            THEN Finish(acked, m.data, {})
                            ELSE /\ toCache' = acked
                                 /\ owner' = Nobody
                                 /\ UNCHANGED <<sharers, job>>
    /\ UNCHANGED <<cacheVars, latest>>

Next ==
    \E c \in Cache :
        \/ AskShared(c) \/ AskModified(c) \/ Evict(c)
        \/ \E d \in Data : Store(c, d)
        \/ CacheReceive(c)
        \/ ServeShared(c) \/ ServeModified(c) \/ HomeReceive(c)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
ToCacheMessage ==
         [type : {"Data"}, grant : {"S", "M"}, data : Data]
    \cup [type : {"Inv", "PutAck"}]
    \cup [type : {"Fetch"}, keep : {"S", "I"}]

ToHomeMessage == [type : {"InvAck"}] \cup [type : {"WriteBack", "PutM"}, data : Data]

TypeOK ==
    /\ state \in [Cache -> {"I", "S", "M", "IS", "IM", "MI"}]
    /\ data \in [Cache -> Data]
    /\ req \in [Cache -> {"none", "GetS", "GetM"}]
    /\ memory \in Data
    /\ owner \in Cache \cup {Nobody}
    /\ sharers \subseteq Cache
    /\ job \in [kind : {"none", "GetS", "GetM"}, for : Cache \cup {Nobody}, waiting : SUBSET Cache]
    /\ \A c \in Cache : toCache[c] \in Seq(ToCacheMessage) /\ toHome[c] \in Seq(ToHomeMessage)
    /\ latest \in Data

OneWriter ==
    \A c, d \in Cache : (c # d /\ state[c] = "M") => state[d] \notin {"M", "S"}

\* Whatever can be read is what was stored last.
Coherent == \A c \in Cache : state[c] \in {"M", "S"} => data[c] = latest

DirectoryKnows ==
    \A c \in Cache :
        /\ state[c] = "M" => owner = c
        /\ state[c] = "S" => c \in sharers \/ owner = c
=============================================================================
