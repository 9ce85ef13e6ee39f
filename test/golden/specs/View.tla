---- MODULE View ----
EXTENDS Naturals, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x' = x + 1 /\ y' = y + 2
V == <<x, y % 3>>
W == x
R == [a |-> x, b |-> <<y>>]
Inv == x < 3
T == /\ PrintT(SUBSET {1,2}) /\ PrintT([{1,2} -> {3}]) /\ PrintT({1,2} \X {3}) /\ PrintT([a : {1}]) /\ PrintT({i \in {1,2} : i > 1})
     /\ PrintT({1} \cup {2}) /\ PrintT(UNION {{1},{2}}) /\ PrintT({1,2} \ {1}) /\ PrintT([i \in {1,2} |-> i]) /\ PrintT(1..3) /\ PrintT({i + 1 : i \in {1,2}})
     /\ PrintT((1..2) \cup (4..5)) /\ PrintT((1..3) \cap (2..5)) /\ PrintT(SUBSET {} ) /\ PrintT(<<SUBSET {1}, {SUBSET {2}}>>) /\ PrintT({<<1,2>>} \cup ({1} \X {2}))
     /\ PrintT((SUBSET {1}) \cup {{3}})/\ PrintT((SUBSET {1}) \ {{1}}) /\ PrintT((SUBSET {1}) \cap {{1}}) /\ PrintT(UNION {SUBSET {1}, {{2}}})
     /\ PrintT({s \in SUBSET {1,2} : 1 \in s}) /\ PrintT([w \in {1,2}, z \in {3} |-> w + z]) 
ASSUME T
====
