-------------------------------- MODULE Bags --------------------------------
(* Bags (multisets): functions from elements to how many copies there are, at least one. *)
EXTENDS TLC

LOCAL INSTANCE Naturals

LOCAL Copies(e, B) == IF e \in DOMAIN B THEN B[e] ELSE 0

(* The sum of f over its domain. *)
LOCAL Total(f) ==
  LET sum[D \in SUBSET DOMAIN f] ==
        IF D = {} THEN 0
        ELSE LET d == CHOOSE x \in D : TRUE
             IN  f[d] + sum[D \ {d}]
  IN  sum[DOMAIN f]

IsABag(B)   == \A e \in DOMAIN B : B[e] \in Nat /\ B[e] > 0
BagToSet(B) == DOMAIN B
SetToBag(S) == [e \in S |-> 1]
BagIn(e, B) == e \in DOMAIN B
EmptyBag    == [e \in {} |-> 1]

(* How many copies of e there are, and how many elements in all. *)
CopiesIn(e, B)    == Copies(e, B)
BagCardinality(B) == Total(B)

(* Copies added, and copies taken away. *)
B1 (+) B2 == [e \in DOMAIN B1 \cup DOMAIN B2 |-> Copies(e, B1) + Copies(e, B2)]
B1 (-) B2 == [e \in {d \in DOMAIN B1 : B1[d] > Copies(d, B2)} |-> B1[e] - Copies(e, B2)]

B1 \sqsubseteq B2 == \A e \in DOMAIN B1 : B1[e] \leq Copies(e, B2)

(* The sum of all bags of a set. *)
BagUnion(S) ==
  [e \in UNION {DOMAIN B : B \in S} |-> Total([B \in S |-> Copies(e, B)])]

(* All bags below B. *)
SubBag(B) ==
  LET most == Total(B)
      parts(D) == {P \in [D -> 1 .. most] : \A e \in D : P[e] \leq B[e]}
  IN  UNION {parts(D) : D \in SUBSET DOMAIN B}

(* A copy of F(e) for each copy of e. *)
BagOfAll(F(_), B) ==
  LET source(v) == {e \in DOMAIN B : F(e) = v}
  IN  [v \in {F(e) : e \in DOMAIN B} |-> Total([e \in source(v) |-> B[e]])]
=============================================================================
