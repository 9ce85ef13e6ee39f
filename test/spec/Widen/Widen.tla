------------------------------- MODULE Widen -------------------------------
(* Values that grow while the search goes on, each at a level of its own: numbers that need more bytes, longer sequences,    *)
(* larger sets, records that get fields, sets of records, functions that get keys, a value of another kind. Types that are   *)
(* learned from the first states are too narrow, again and again.                                                           *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS Last, P, p1, p2, p3
VARIABLES n, q, s, r, m, f, u, who
vars == <<n, q, s, r, m, f, u, who>>

Init == /\ n = 0 /\ q = <<>> /\ s = {} /\ r = [a |-> 0] /\ m = {} /\ f = << >> /\ u = "none"
        /\ who = [p \in P |-> {}]

Small == n % 7
Record == IF n < 9 THEN [a |-> n] ELSE IF n < 17 THEN [a |-> n, b |-> "x"] ELSE [a |-> n * 20, c |-> <<n, Small>>]
Kind == IF n < 11 THEN "some" ELSE IF n < 19 THEN n ELSE {n, n + 1}

Up == /\ n < Last
      /\ n' = n + 1
      /\ r' = Record
      /\ u' = Kind
      /\ f' = IF n % 5 = 4 THEN f @@ (n :> Small) ELSE f
      /\ s' = {}
      /\ m' = IF n % 4 = 0 THEN {} ELSE m
      /\ q' = IF n % 3 = 0 THEN <<>> ELSE q
      /\ UNCHANGED who

Put == /\ Len(q) < 1 + n \div 12
       /\ \E i \in 1 .. 2 : q' = Append(q, i * (1 + n \div 6))
       /\ UNCHANGED <<n, s, r, m, f, u, who>>

Take == /\ q # <<>>
        /\ q' = Tail(q)
        /\ s' = IF Cardinality(s) > n \div 9 THEN {Head(q)} ELSE s \cup {Head(q)}
        /\ m' = IF n < 6 THEN m ELSE {[type |-> "m", val |-> Head(q)]} \cup (IF n < 14 THEN {} ELSE {[type |-> "k", of |-> <<n \div 4>>]})
        /\ UNCHANGED <<n, r, f, u, who>>

Join == /\ n > 3
        /\ \E p \in P : /\ who[p] = {}
                        /\ \A o \in P : Cardinality(who[o]) < 2
                        /\ who' = [who EXCEPT ![p] = {n \div 9}]
        /\ UNCHANGED <<n, q, s, r, m, f, u>>

Next == Up \/ Put \/ Take \/ Join
Spec == Init /\ [][Next]_vars

Bounded == n >= 0 /\ Len(q) <= 1 + n \div 12
NoSum == ~(n >= Last - 2 /\ q # <<>> /\ Cardinality(s) > 1 /\ \E p \in P : who[p] # {})
Growing == [][n' >= n /\ (r' # r => n' > n)]_vars
Few == Cardinality(s) < 3
Steps == n' # n \/ Len(q') < 2
View == <<n, q, s, m, who>>
Perms == Permutations(P)
=============================================================================
