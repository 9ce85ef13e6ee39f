---- MODULE RaftKv_TTrace_1794760445 ----
EXTENDS Sequences, TLCExt, Toolbox, Naturals, TLC, RaftKv, RaftKv_TEConstants

_expression ==
    LET RaftKv_TEExpression == INSTANCE RaftKv_TEExpression
    IN RaftKv_TEExpression!expression
----

_trace ==
    LET RaftKv_TETrace == INSTANCE RaftKv_TETrace
    IN RaftKv_TETrace!trace
----

_inv ==
    ~(
        TLCGet("level") = Len(_TETrace)
        /\
        next = ((n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)))
        /\
        role = ((n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "leader" @@ n4 :> "follower"))
        /\
        waiting = ((n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}))
        /\
        log = ((n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>))
        /\
        ticks = (2)
        /\
        match = ((n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)))
        /\
        commit = ((n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0))
        /\
        faults = (0)
        /\
        granted = ((n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}))
        /\
        answer = (<<>>)
        /\
        asked = ((n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0))
        /\
        votes = ((n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0))
        /\
        term = ((n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1))
        /\
        floor = (<<>>)
        /\
        net = ([queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n3, n4>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}])
        /\
        vote = ((n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> n3))
    )
----

_init ==
    /\ match = _TETrace[1].match
    /\ floor = _TETrace[1].floor
    /\ answer = _TETrace[1].answer
    /\ log = _TETrace[1].log
    /\ ticks = _TETrace[1].ticks
    /\ asked = _TETrace[1].asked
    /\ faults = _TETrace[1].faults
    /\ commit = _TETrace[1].commit
    /\ net = _TETrace[1].net
    /\ vote = _TETrace[1].vote
    /\ next = _TETrace[1].next
    /\ votes = _TETrace[1].votes
    /\ waiting = _TETrace[1].waiting
    /\ term = _TETrace[1].term
    /\ role = _TETrace[1].role
    /\ granted = _TETrace[1].granted
----

_next ==
    /\ \E i,j \in DOMAIN _TETrace:
        /\ \/ /\ j = i + 1
              /\ i = TLCGet("level")
        /\ match  = _TETrace[i].match
        /\ match' = _TETrace[j].match
        /\ floor  = _TETrace[i].floor
        /\ floor' = _TETrace[j].floor
        /\ answer  = _TETrace[i].answer
        /\ answer' = _TETrace[j].answer
        /\ log  = _TETrace[i].log
        /\ log' = _TETrace[j].log
        /\ ticks  = _TETrace[i].ticks
        /\ ticks' = _TETrace[j].ticks
        /\ asked  = _TETrace[i].asked
        /\ asked' = _TETrace[j].asked
        /\ faults  = _TETrace[i].faults
        /\ faults' = _TETrace[j].faults
        /\ commit  = _TETrace[i].commit
        /\ commit' = _TETrace[j].commit
        /\ net  = _TETrace[i].net
        /\ net' = _TETrace[j].net
        /\ vote  = _TETrace[i].vote
        /\ vote' = _TETrace[j].vote
        /\ next  = _TETrace[i].next
        /\ next' = _TETrace[j].next
        /\ votes  = _TETrace[i].votes
        /\ votes' = _TETrace[j].votes
        /\ waiting  = _TETrace[i].waiting
        /\ waiting' = _TETrace[j].waiting
        /\ term  = _TETrace[i].term
        /\ term' = _TETrace[j].term
        /\ role  = _TETrace[i].role
        /\ role' = _TETrace[j].role
        /\ granted  = _TETrace[i].granted
        /\ granted' = _TETrace[j].granted

\* Uncomment the ASSUME below to write the states of the error trace
\* to the given file in Json format. Note that you can pass any tuple
\* to `JsonSerialize`. For example, a sub-sequence of _TETrace.
    \* ASSUME
    \*     LET J == INSTANCE Json
    \*         IN J!JsonSerialize("RaftKv_TTrace_1794760445.json", _TETrace)

=============================================================================

 Note that you can extract this module `RaftKv_TEExpression`
  to a dedicated file to reuse `expression` (the module in the 
  dedicated `RaftKv_TEExpression.tla` file takes precedence 
  over the module `RaftKv_TEExpression` below).

---- MODULE RaftKv_TEExpression ----
EXTENDS Sequences, TLCExt, Toolbox, Naturals, TLC, RaftKv, RaftKv_TEConstants

expression == 
    [
        \* To hide variables of the `RaftKv` spec from the error trace,
        \* remove the variables below.  The trace will be written in the order
        \* of the fields of this record.
        match |-> match
        ,floor |-> floor
        ,answer |-> answer
        ,log |-> log
        ,ticks |-> ticks
        ,asked |-> asked
        ,faults |-> faults
        ,commit |-> commit
        ,net |-> net
        ,vote |-> vote
        ,next |-> next
        ,votes |-> votes
        ,waiting |-> waiting
        ,term |-> term
        ,role |-> role
        ,granted |-> granted
        
        \* Put additional constant-, state-, and action-level expressions here:
        \* ,_stateNumber |-> _TEPosition
        \* ,_matchUnchanged |-> match = match'
        
        \* Format the `match` variable as Json value.
        \* ,_matchJson |->
        \*     LET J == INSTANCE Json
        \*     IN J!ToJson(match)
        
        \* Lastly, you may build expressions over arbitrary sets of states by
        \* leveraging the _TETrace operator.  For example, this is how to
        \* count the number of times a spec variable changed up to the current
        \* state in the trace.
        \* ,_matchModCount |->
        \*     LET F[s \in DOMAIN _TETrace] ==
        \*         IF s = 1 THEN 0
        \*         ELSE IF _TETrace[s].match # _TETrace[s-1].match
        \*             THEN 1 + F[s-1] ELSE F[s-1]
        \*     IN F[_TEPosition - 1]
    ]

=============================================================================



Parsing and semantic processing can take forever if the trace below is long.
 In this case, it is advised to uncomment the module below to deserialize the
 trace from a generated binary file.

\*
\*---- MODULE RaftKv_TETrace ----
\*EXTENDS IOUtils, TLC, RaftKv, RaftKv_TEConstants
\*
\*trace == IODeserialize("RaftKv_TTrace_1794760445.bin", TRUE)
\*
\*=============================================================================
\*

---- MODULE RaftKv_TETrace ----
EXTENDS TLC, RaftKv, RaftKv_TEConstants

trace == 
    <<
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "follower" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 0,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<>> @@ <<n1, n3>> :> <<>> @@ <<n1, n4>> :> <<>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> Nobody @@ n2 :> Nobody @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "candidate" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 0,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {n1} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 1 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 1 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> Nobody @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "candidate" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 1,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {n1} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 2 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 1 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> Nobody @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "candidate" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 1,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {n1} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 2 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 1 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n2, n1>> :> <<[term |-> 1, granted |-> TRUE, type |-> "vote"]>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "candidate" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 1,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {n1, n2} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 2 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 2 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "candidate" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 1,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {n1, n2} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 2 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 2 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n2, n1>> :> <<[term |-> 1, granted |-> TRUE, type |-> "vote"]>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "follower" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 1,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 0 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<>> @@ <<n3, n2>> :> <<>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> Nobody @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "candidate" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 1,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {n3} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 1 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 1 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "candidate" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 2,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {n3} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 2 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 1 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 0),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> Nobody)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "candidate" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 2,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {n3} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 2 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 1 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<[term |-> 1, granted |-> TRUE, type |-> "vote"]>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> n3)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "candidate" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 2,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {n3, n4} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 2 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 2 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> n3)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "candidate" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 2,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {n3, n4} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 2 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 2 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0]>> @@ <<n3, n4>> :> <<>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<[term |-> 1, granted |-> TRUE, type |-> "vote"]>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> n3)]),
    ([next |-> (n1 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n2 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n3 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1) @@ n4 :> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1)),role |-> (n1 :> "leader" @@ n2 :> "follower" @@ n3 :> "leader" @@ n4 :> "follower"),waiting |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),log |-> (n1 :> <<>> @@ n2 :> <<>> @@ n3 :> <<>> @@ n4 :> <<>>),ticks |-> 2,match |-> (n1 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n2 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n3 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0) @@ n4 :> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0)),commit |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),faults |-> 0,granted |-> (n1 :> {} @@ n2 :> {} @@ n3 :> {} @@ n4 :> {}),answer |-> <<>>,asked |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),votes |-> (n1 :> 0 @@ n2 :> 0 @@ n3 :> 0 @@ n4 :> 0),term |-> (n1 :> 1 @@ n2 :> 1 @@ n3 :> 1 @@ n4 :> 1),floor |-> <<>>,net |-> [queue |-> (<<n1, n2>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n3>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n1, n4>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n2, n1>> :> <<>> @@ <<n2, n3>> :> <<>> @@ <<n2, n4>> :> <<>> @@ <<n3, n1>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n3, n2>> :> <<[term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, type |-> "ask", last |-> 0, lastTerm |-> 0], [term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n3, n4>> :> <<[term |-> 1, commit |-> 0, type |-> "append", prev |-> 0, prevTerm |-> 0, entries |-> <<>>]>> @@ <<n4, n1>> :> <<>> @@ <<n4, n2>> :> <<>> @@ <<n4, n3>> :> <<>>), cut |-> {}, down |-> {}],vote |-> (n1 :> n1 @@ n2 :> n1 @@ n3 :> n3 @@ n4 :> n3)])
    >>
----


=============================================================================

---- MODULE RaftKv_TEConstants ----
EXTENDS RaftKv

CONSTANTS n1, n2, n3, n4

=============================================================================

---- CONFIG RaftKv_TTrace_1794760445 ----
CONSTANTS
    Server = { n1 , n2 , n3 , n4 }
    Nobody = Nobody
    Any = Any
    Defects = { "double_vote" }
    Candidates = { n1 , n3 }
    MaxTerm = 1
    MaxTicks = 2
    MaxRequests = 1
    MaxFaults = 0
    MaxQueue = 3
    Nobody = Nobody
    Any = Any
    n1 = n1
    n2 = n2
    n3 = n3
    n4 = n4

INVARIANT
    _inv

CHECK_DEADLOCK
    \* CHECK_DEADLOCK off because of PROPERTY or INVARIANT above.
    FALSE

INIT
    _init

NEXT
    _next

CONSTANT
    _TETrace <- _trace

ALIAS
    _expression
=============================================================================
\* Generated on Sun Nov 15 16:34:46 UTC 2026