------------------------------- MODULE Heads -------------------------------
(* Loops that are over after one round, since the condition that is false says the same in all others.
   Numbers of states do not depend on N. *)
EXTENDS Integers, Sequences
CONSTANT N
VARIABLES at, log, kept
vars == <<at, log, kept>>

Is(k) == at = k
(* b and e are the arguments' parts: Is(k) needs neither. *)
Range(k, range) ==
    /\ range[1] <= range[2]
    /\ Is(k)
    /\ range[2] = range[1] + 1
    /\ at' = at + 1
    /\ log' = Append(log, range[1])
    /\ UNCHANGED kept

Init == at = 0 /\ log = <<>> /\ kept = 0
Step == at < 20 /\ at' = at + 1 /\ log' = log /\ UNCHANGED kept
Next ==
    \/ Step
    \/ \E b, e \in 1..N : Is(-1) /\ Range(3, <<b, e>>)
    \/ \E b, e \in 1..N : Range(-1, <<b, e>>)
    \/ \E b \in 1..3 : \E e \in b..N : Is(-2) /\ at' = at /\ UNCHANGED <<log, kept>>
    \/ \E b, e \in 1..3 : Range(3, <<b, e>>)
    \/ \E c \in 1..N : /\ at > 20
                       /\ \E d \in 1..N : kept' = c + d
                       /\ UNCHANGED <<at, log>>
    \/ \E c, d \in 1..N : c <= 2 /\ d = c /\ at = -5 /\ c + d > 3 /\ at' = 6 /\ UNCHANGED <<log, kept>>

Never == ~\E b, e \in 1..N : at < 0 /\ b # e
Always == \A b, e \in 1..N : (b < e /\ at > 1000) => log[b] = e
AlwaysOne == \A b, e \in 1..N : at > 1000 => log[b] = e
Property == [][(\E b, e \in 1..N : at > at' /\ b = e) \/ at' >= at]_vars
=============================================================================
