---------------------------- MODULE Termination -----------------------------
(***************************************************************************)
(* Safra's detection of termination on a ring (Dijkstra, EWD 998): a token *)
(* collects the balance of messages sent and received. Checked: detection  *)
(* is never premature, and with fairness of the token's way it comes.      *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS N, MaxPending, MaxCount

Node == 0 .. N - 1

VARIABLES
    active,    \* [Node -> BOOLEAN]
    pending,   \* [Node -> Nat]: messages on their way to the node
    count,     \* [Node -> Int]: sent minus received
    color,     \* [Node -> "white" or "black"]: black after a receipt
    token,     \* where it is, what it has summed up, its colour
    detected

vars == <<active, pending, count, color, token, detected>>

Init ==
    /\ active \in [Node -> BOOLEAN]
    /\ pending = [n \in Node |-> 0]
    /\ count = [n \in Node |-> 0]
    /\ color = [n \in Node |-> "white"]
    /\ token = [at |-> 0, sum |-> 0, color |-> "black"]
    /\ detected = FALSE

-----------------------------------------------------------------------------
\* The computation

Send(n) ==
    /\ active[n]
    /\ count[n] < MaxCount
    /\ \E m \in Node \ {n} :
          /\ pending[m] < MaxPending
          /\ pending' = [pending EXCEPT ![m] = @ + 1]
    /\ count' = [count EXCEPT ![n] = @ + 1]
    /\ UNCHANGED <<active, color, token, detected>>

Receive(n) ==
    /\ pending[n] > 0
    /\ count[n] > 0 - MaxCount
    /\ pending' = [pending EXCEPT ![n] = @ - 1]
    /\ count' = [count EXCEPT ![n] = @ - 1]
    /\ color' = [color EXCEPT ![n] = "black"]
    /\ active' = [active EXCEPT ![n] = TRUE]
    /\ UNCHANGED <<token, detected>>

Rest(n) ==
    /\ active[n]
    /\ active' = [active EXCEPT ![n] = FALSE]
    /\ UNCHANGED <<pending, count, color, token, detected>>

-----------------------------------------------------------------------------
\* The detection

Clean ==
    /\ token.color = "white"
    /\ color[0] = "white"
    /\ ~active[0]
    /\ token.sum + count[0] = 0

\* Node 0 looks at the result of a round.
Detect ==
    /\ token.at = 0
    /\ ~detected
    /\ Clean
    /\ detected' = TRUE
    /\ UNCHANGED <<active, pending, count, color, token>>

NewRound ==
    /\ token.at = 0
    /\ ~detected
    /\ ~active[0]
    /\ ~Clean
    /\ token' = [at |-> N - 1, sum |-> 0, color |-> "white"]
    /\ color' = [color EXCEPT ![0] = "white"]
    /\ UNCHANGED <<active, pending, count, detected>>

PassToken(n) ==
    /\ n # 0
    /\ token.at = n
    /\ ~active[n]
    /\ token' = [at |-> n - 1, sum |-> token.sum + count[n],
                 color |-> IF color[n] = "black" THEN "black" ELSE token.color]
    /\ color' = [color EXCEPT ![n] = "white"]
    /\ UNCHANGED <<active, pending, count, detected>>

Detection == Detect \/ NewRound \/ \E n \in Node : PassToken(n)

Next ==
    \/ Detection
    \/ \E n \in Node : Send(n) \/ Receive(n) \/ Rest(n)

Spec == Init /\ [][Next]_vars /\ WF_vars(Detection)

-----------------------------------------------------------------------------
TypeOK ==
    /\ active \in [Node -> BOOLEAN]
    /\ pending \in [Node -> 0 .. MaxPending]
    /\ count \in [Node -> (0 - MaxCount) .. MaxCount]
    /\ color \in [Node -> {"white", "black"}]
    /\ token \in [at : Node, sum : (0 - N * MaxCount) .. N * MaxCount, color : {"white", "black"}]
    /\ detected \in BOOLEAN

Terminated == \A n \in Node : ~active[n] /\ pending[n] = 0

Sound == detected => Terminated

Live == Terminated ~> detected
=============================================================================
