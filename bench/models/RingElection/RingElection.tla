---------------------------- MODULE RingElection ----------------------------
(***************************************************************************)
(* Leader election on a ring of nodes that talk to their right neighbours  *)
(* only (Chang and Roberts). Every arrangement of the numbers is an        *)
(* initial state. A node starts when it wants to, or when a number that is *)
(* not its own comes by.                                                   *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT N

Node == 0 .. N - 1
Right(n) == (n + 1) % N

VARIABLES
    id,       \* [Node -> 1 .. N]: who is called what
    status,   \* "asleep", "running", "beaten" or "leader"
    leader,   \* the number of the leader, as far as the node knows, or 0
    inbox     \* what has been sent to the node, oldest first

vars == <<id, status, leader, inbox>>

Distinct(f) == \A m, n \in Node : f[m] = f[n] => m = n

Init ==
    /\ id \in {f \in [Node -> 1 .. N] : Distinct(f)}
    /\ status = [n \in Node |-> "asleep"]
    /\ leader = [n \in Node |-> 0]
    /\ inbox = [n \in Node |-> <<>>]

Pass(n, m) == inbox' = [inbox EXCEPT ![Right(n)] = Append(@, m)]
TakeAndPass(n, m) == inbox' = [inbox EXCEPT ![n] = Tail(@), ![Right(n)] = Append(@, m)]
Take(n) == inbox' = [inbox EXCEPT ![n] = Tail(@)]

WakeUp(n) ==
    /\ status[n] = "asleep"
    /\ status' = [status EXCEPT ![n] = "running"]
    /\ Pass(n, [type |-> "candidate", id |-> id[n]])
    /\ UNCHANGED <<id, leader>>

OnCandidate(n) ==
    /\ inbox[n] # <<>>
    /\ LET m == Head(inbox[n])
       IN  /\ m.type = "candidate"
           /\ CASE m.id > id[n] ->
                     /\ TakeAndPass(n, m)
                     /\ status' = [status EXCEPT ![n] = "beaten"]
                     /\ UNCHANGED leader
                [] m.id < id[n] ->
                     /\ IF status[n] = "asleep"
                           THEN /\ TakeAndPass(n, [type |-> "candidate", id |-> id[n]])
                                /\ status' = [status EXCEPT ![n] = "running"]
                           ELSE Take(n) /\ UNCHANGED status
                     /\ UNCHANGED leader
                [] OTHER ->
                     /\ TakeAndPass(n, [type |-> "elected", id |-> id[n]])
                     /\ status' = [status EXCEPT ![n] = "leader"]
                     /\ leader' = [leader EXCEPT ![n] = id[n]]
    /\ UNCHANGED id

OnElected(n) ==
    /\ inbox[n] # <<>>
    /\ LET m == Head(inbox[n])
       IN  /\ m.type = "elected"
           /\ IF m.id = id[n]
                 THEN Take(n) /\ UNCHANGED leader
                 ELSE /\ TakeAndPass(n, m)
                      /\ leader' = [leader EXCEPT ![n] = m.id]
    /\ UNCHANGED <<id, status>>

Next == \E n \in Node : WakeUp(n) \/ OnCandidate(n) \/ OnElected(n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Message == [type : {"candidate", "elected"}, id : 1 .. N]

TypeOK ==
    /\ id \in [Node -> 1 .. N]
    /\ status \in [Node -> {"asleep", "running", "beaten", "leader"}]
    /\ leader \in [Node -> 0 .. N]
    /\ \A n \in Node : inbox[n] \in Seq(Message)

Best == CHOOSE n \in Node : \A m \in Node : id[n] >= id[m]

\* Nobody but the best is elected, and nobody believes anything else.
OnlyTheBest ==
    /\ \A n \in Node : status[n] = "leader" => n = Best
    /\ \A n \in Node : leader[n] # 0 => leader[n] = id[Best]
    /\ (\E n \in Node : leader[n] # 0) => status[Best] = "leader"

\* A number is on its way at most once.
NoDuplicates ==
    \A n \in Node : \A j, k \in 1 .. Len(inbox[n]) :
        (inbox[n][j] = inbox[n][k]) => j = k
=============================================================================
