-------------------------------- MODULE Sum --------------------------------
(***************************************************************************)
(* Processes that compute something on their own, step by step, and then   *)
(* add it to a shared total: written as the PlusCal translator would. turn *)
(* is a history that nobody reads.                                         *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS N, K

VARIABLES pc, i, acc, total, turn
vars == <<pc, i, acc, total, turn>>

ProcSet == 1 .. N

Init ==
    /\ pc = [self \in ProcSet |-> "loop"]
    /\ i = [self \in ProcSet |-> 0]
    /\ acc = [self \in ProcSet |-> 0]
    /\ total = 0
    /\ turn = <<>>

loop(self) ==
    /\ pc[self] = "loop"
    /\ IF i[self] < K
          THEN pc' = [pc EXCEPT ![self] = "body"]
          ELSE pc' = [pc EXCEPT ![self] = "add"]
    /\ UNCHANGED <<i, acc, total, turn>>

body(self) ==
    /\ pc[self] = "body"
    /\ acc' = [acc EXCEPT ![self] = acc[self] + i[self] * self]
    /\ i' = [i EXCEPT ![self] = i[self] + 1]
    /\ pc' = [pc EXCEPT ![self] = "loop"]
    /\ UNCHANGED <<total, turn>>

add(self) ==
    /\ pc[self] = "add"
    /\ total' = total + acc[self]
    /\ turn' = Append(turn, self)
    /\ pc' = [pc EXCEPT ![self] = "Done"]
    /\ UNCHANGED <<i, acc>>

proc(self) == loop(self) \/ body(self) \/ add(self)

Terminating ==
    /\ \A self \in ProcSet : pc[self] = "Done"
    /\ UNCHANGED vars

Next == (\E self \in ProcSet : proc(self)) \/ Terminating

Spec == Init /\ [][Next]_vars

TypeOK ==
    /\ pc \in [ProcSet -> {"loop", "body", "add", "Done"}]
    /\ \A self \in ProcSet : i[self] \in 0 .. K /\ acc[self] \in Nat

Correct == (\A self \in ProcSet : pc[self] = "Done") => total = (N * (N + 1) * K * (K - 1)) \div 4
=============================================================================
