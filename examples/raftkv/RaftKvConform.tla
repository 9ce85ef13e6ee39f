--------------------------- MODULE RaftKvConform ---------------------------
(***************************************************************************)
(* What raftkv.assay.toml needs: values of the program as values of        *)
(* RaftKv. Nodes are numbers from 0 there, and n1, n2, ... here.           *)
(***************************************************************************)
EXTENDS RaftKv, TLC

NodeOf(k) == CHOOSE i \in Server : ToString(i) = "n" \o ToString(k + 1)
IndexOf(i) == CHOOSE k \in 1 .. Cardinality(Server) : NodeOf(k - 1) = i

EntryOf(e) == [term |-> e.term, op |-> IF e.op = 1 THEN "put" ELSE "get"]
LogOf(l) == [k \in DOMAIN l |-> EntryOf(l[k])]

MessageOf(m) ==
    CASE m.type = 1 -> [type |-> "ask", term |-> m.term, last |-> m.index, lastTerm |-> m.index_term]
      [] m.type = 2 -> [type |-> "vote", term |-> m.term, granted |-> m.ok = 1]
      [] m.type = 3 -> [type |-> "append", term |-> m.term, prev |-> m.index, prevTerm |-> m.index_term,
                        commit |-> m.commit, entries |-> LogOf(m.entries)]
      [] m.type = 4 -> [type |-> "appended", term |-> m.term, ok |-> m.ok = 1, index |-> m.index]
=============================================================================
