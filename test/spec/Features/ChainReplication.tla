---- MODULE ChainReplication ----
\* Chain replication: updates go from head to tail in FIFO channels, acknowledgements back, a master removes failed nodes.
EXTENDS Naturals, Sequences, SequencesExt, FiniteSets
CONSTANTS Node, MaxUpdates
VARIABLES chain, history, sent, down, up, acked, updates
vars == <<chain, history, sent, down, up, acked, updates>>
RECURSIVE ToChain(_)
ToChain(S) == IF S = {} THEN <<>> ELSE LET x == CHOOSE x \in S : TRUE IN <<x>> \o ToChain(S \ {x})
Init ==
    /\ chain = ToChain(Node)
    /\ history = [n \in Node |-> <<>>]
    /\ sent = [n \in Node |-> <<>>]
    /\ down = [p \in Node \X Node |-> <<>>]
    /\ up = [p \in Node \X Node |-> <<>>]
    /\ acked = {}
    /\ updates = 0
Pos(n) == CHOOSE i \in 1..Len(chain) : chain[i] = n
InChain(n) == \E i \in 1..Len(chain) : chain[i] = n
IsTail(n) == chain[Len(chain)] = n
Succ(n) == chain[Pos(n) + 1]
Pred(n) == chain[Pos(n) - 1]
Update ==
    LET h == Head(chain) IN
    /\ updates < MaxUpdates
    /\ updates' = updates + 1
    /\ history' = [history EXCEPT ![h] = Append(@, updates + 1)]
    /\ IF Len(chain) = 1
       THEN acked' = acked \cup {updates + 1} /\ UNCHANGED <<sent, down>>
       ELSE /\ down' = [down EXCEPT ![<<h, Succ(h)>>] = Append(@, updates + 1)]
            /\ sent' = [sent EXCEPT ![h] = Append(@, updates + 1)]
            /\ UNCHANGED acked
    /\ UNCHANGED <<chain, up>>
Forward(n) ==
    /\ InChain(n) /\ n # Head(chain)
    /\ LET p == Pred(n) IN
       /\ down[<<p, n>>] # <<>>
       /\ LET u == Head(down[<<p, n>>]) IN
          /\ IF Contains(history[n], u) THEN UNCHANGED history ELSE history' = [history EXCEPT ![n] = Append(@, u)]
          /\ IF IsTail(n)
             THEN /\ down' = [down EXCEPT ![<<p, n>>] = Tail(@)]
                  /\ up' = [up EXCEPT ![<<n, p>>] = Append(@, u)]
                  /\ acked' = acked \cup {u}
                  /\ UNCHANGED sent
             ELSE /\ down' = [down EXCEPT ![<<p, n>>] = Tail(@), ![<<n, Succ(n)>>] = Append(@, u)]
                  /\ sent' = [sent EXCEPT ![n] = IF Contains(@, u) THEN @ ELSE Append(@, u)]
                  /\ UNCHANGED <<up, acked>>
    /\ UNCHANGED <<chain, updates>>
Ack(n) ==
    /\ InChain(n) /\ ~IsTail(n)
    /\ LET s == Succ(n) IN
       /\ up[<<s, n>>] # <<>>
       /\ LET u == Head(up[<<s, n>>]) IN
          /\ sent' = [sent EXCEPT ![n] = SelectSeq(@, LAMBDA x : x # u)]
          /\ up' = IF n = Head(chain) THEN [up EXCEPT ![<<s, n>>] = Tail(@)]
                   ELSE [up EXCEPT ![<<s, n>>] = Tail(@), ![<<n, Pred(n)>>] = Append(@, u)]
    /\ UNCHANGED <<chain, history, down, acked, updates>>
Kick(n) ==
    /\ InChain(n) /\ Len(chain) > 1
    /\ LET i == Pos(n) IN
       /\ chain' = SubSeq(chain, 1, i - 1) \o SubSeq(chain, i + 1, Len(chain))
       /\ down' = [p \in Node \X Node |-> IF p[1] = n \/ p[2] = n THEN <<>>
             ELSE IF i > 1 /\ i < Len(chain) /\ p = <<chain[i - 1], chain[i + 1]>> THEN sent[chain[i - 1]] ELSE down[p]]
       /\ up' = [p \in Node \X Node |-> IF p[1] = n \/ p[2] = n THEN <<>> ELSE up[p]]
       /\ IF i = Len(chain)
          THEN /\ acked' = acked \cup {history[chain[i - 1]][k] : k \in 1..Len(history[chain[i - 1]])}
               /\ sent' = [sent EXCEPT ![n] = <<>>, ![chain[i - 1]] = <<>>]
          ELSE sent' = [sent EXCEPT ![n] = <<>>] /\ UNCHANGED acked
    /\ UNCHANGED <<history, updates>>
Next == Update \/ \E n \in Node : Forward(n) \/ Ack(n) \/ Kick(n)
HistPrefixes == \A i, j \in 1..Len(chain) : i < j => IsPrefix(history[chain[j]], history[chain[i]])
AckedEverywhere == \A u \in acked : \A i \in 1..Len(chain) : Contains(history[chain[i]], u)
====
