-------------------------- MODULE PySyncObjConform --------------------------
(***************************************************************************)
(* What pysyncobj.assay.toml needs: values of the program as values of     *)
(* PySyncObj.                                                              *)
(***************************************************************************)
EXTENDS PySyncObj, TLC

RoleOf(k) == <<"follower", "candidate", "leader">>[k + 1]
VotedOf(name) == IF name = "" THEN Nobody ELSE CHOOSE i \in Server : ToString(i) = name

\* The tables of a node that does not lead are left from when it did.
TableOf(i, role_, table) ==
    [j \in Server |-> IF role_ = 2 /\ j # i THEN table[ToString(j)] ELSE 0]

MessageOf(m) ==
    CASE m.type = "request_vote" ->
            [type |-> m.type, term |-> m.term, last |-> m.last_log_index, lastTerm |-> m.last_log_term]
      [] m.type = "response_vote" -> [type |-> m.type, term |-> m.term]
      [] m.type = "append_entries" ->
            [type |-> m.type, term |-> m.term, commit |-> m.commit_index,
             prev |-> m.prevLogIdx, prevTerm |-> m.prevLogTerm, entries |-> m.entries]
      [] m.type = "next_node_idx" ->
            [type |-> m.type, next |-> m.next_node_idx, reset |-> m.reset, success |-> m.success]
=============================================================================
