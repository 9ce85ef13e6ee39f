-------------------------------- MODULE Bags --------------------------------
(* Bags (multisets): functions from elements to how many copies there are, at least one. *)
EXTENDS TLC

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(B, n, S, e, B1, B2, d, Sum, f, DSum, elt, RemoveFromDom, x, y, Combine, BagSet, i, Biggest, r, s, RSB,
                BB, F) ==
  <<B, n, S, e, B1, B2, d, Sum, f, DSum, elt, RemoveFromDom, x, y, Combine, BagSet, i, Biggest, r, s, RSB, BB, F>>

LOCAL INSTANCE Naturals

LOCAL Copies_(e, B) == IF e \in DOMAIN B THEN B[e] ELSE 0

(* The sum of f over its domain. *)
LOCAL Total_(f) ==
  LET sum_[D_ \in SUBSET DOMAIN f] ==
        IF D_ = {} THEN 0
        ELSE LET d == CHOOSE x \in D_ : TRUE
             IN  f[d] + sum_[D_ \ {d}]
  IN  sum_[DOMAIN f]

IsABag(B)   == \A e \in DOMAIN B : B[e] \in Nat /\ B[e] > 0
BagToSet(B) == DOMAIN B
SetToBag(S) == [e \in S |-> 1]
BagIn(e, B) == e \in DOMAIN B
EmptyBag    == [e \in {} |-> 1]

(* How many copies of e there are, and how many elements in all. *)
CopiesIn(e, B)    == Copies_(e, B)
BagCardinality(B) == Total_(B)

(* Copies added, and copies taken away. *)
B1 (+) B2 == [e \in DOMAIN B1 \cup DOMAIN B2 |-> Copies_(e, B1) + Copies_(e, B2)]
B1 (-) B2 == [e \in {d \in DOMAIN B1 : B1[d] > Copies_(d, B2)} |-> B1[e] - Copies_(e, B2)]

B1 \sqsubseteq B2 == \A e \in DOMAIN B1 : B1[e] \leq Copies_(e, B2)

(* The sum of all bags of a set. *)
BagUnion(S) ==
  [e \in UNION {DOMAIN B : B \in S} |-> Total_([B \in S |-> Copies_(e, B)])]

(* All bags below B. *)
SubBag(B) ==
  LET most_ == Total_(B)
      parts_(D_) == {P_ \in [D_ -> 1 .. most_] : \A e \in D_ : P_[e] \leq B[e]}
  IN  UNION {parts_(D_) : D_ \in SUBSET DOMAIN B}

(* A copy of F(e) for each copy of e. *)
BagOfAll(F(_), B) ==
  LET source_(v_) == {e \in DOMAIN B : F(e) = v_}
  IN  [v_ \in {F(e) : e \in DOMAIN B} |-> Total_([e \in source_(v_) |-> B[e]])]
=============================================================================
