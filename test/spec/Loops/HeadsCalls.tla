---------------------------- MODULE HeadsCalls -----------------------------
(* Conditions in operators that are called: those that need the bound variable through an argument, those that do not, and the
   same operator twice, with and without it. Large makes the operators too large to be put in place. *)
EXTENDS Integers, Sequences
VARIABLES x, y
vars == <<x, y>>
Large(v) == v + 0 * (v + 1 + v + 2 + v + 3 + v + 4 + v + 5 + v + 6 + v + 7 + v + 8 + v + 9 + v + 10 + v + 11 + v + 12 + v + 13
                     + v + 14 + v + 15 + v + 16 + v + 17 + v + 18 + v + 19 + v + 20 + v + 21 + v + 22 + v + 23 + v + 24)
Op(v, w) == /\ v > 1
            /\ Large(v) + Large(w) + Large(v + w) >= 0
            /\ Large(w) > 0
            /\ w < 9
Both(v, w) == /\ x > 0
              /\ Large(v) + Large(w) + Large(v - w) >= -99
              /\ Op(v, w)
Init == x = 0 /\ y = 0
Next == \/ x < 4 /\ x' = x + 1 /\ y' = y
        \/ (\E k \in 1..4 : Op(x, k)) /\ x' = x /\ y' = 1 /\ y # 1
        \/ (\E k \in 1..4 : Op(k, x)) /\ x' = x /\ y' = 2 /\ y # 2
        \/ (\E k \in 1..4 : Op(2, 1) /\ Op(k, x)) /\ x' = x /\ y' = 3 /\ y # 3
        \/ (\E k \in 1..4 : Op(2, x) /\ Op(k, 1)) /\ x' = x /\ y' = 4 /\ y # 4
        \/ (\E k \in 1..4 : ~Op(k, 0) /\ Op(x, 1) /\ k = 3) /\ x' = x /\ y' = 5 /\ y # 5
        \/ (\E k \in 1..4 : ~Op(k, 0) /\ Op(x, k) /\ Op(k, x)) /\ x' = x /\ y' = 6 /\ y # 6
        \/ (\E k, j \in 1..4 : Both(k, j)) /\ x' = x /\ y' = 7 /\ y # 7
        \/ (\E k, j \in 1..4 : j = 2 /\ Both(j, x)) /\ x' = x /\ y' = 8 /\ y # 8
        \/ (\E k \in 1..4 : Both(x, k) /\ k > 3) /\ x' = x /\ y' = 9 /\ y # 9
Inv == \A k \in 1..4 : (Op(x, 1) /\ Op(k, 1)) => (Op(k, 1) \/ Op(1, k))
Steps == [][\/ x' = x + 1
            \/ \E k, j \in 1..4 : Both(k, j) /\ y' # y
            \/ \E k \in 1..20000, j \in 1..20000 : Both(x - 100, k)
            \/ \E k \in 1..4 : Op(k, 1) /\ y' = y' + 0 * k
            \/ y' = y]_vars
=============================================================================
