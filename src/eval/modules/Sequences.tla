----------------------------- MODULE Sequences ------------------------------
(* Finite sequences: functions whose domain is 1 .. n. Tuples are sequences. Strings are atoms, but Len, \o, SubSeq
   and Tail work on them as well. *)
LOCAL INSTANCE Naturals

(* All finite sequences over S. *)
Seq(S) == UNION {[1 .. n -> S] : n \in Nat}

Len(s) == CHOOSE n \in {0} \cup DOMAIN s : 1 .. n = DOMAIN s

(* First s, then t. *)
s \o t == LET n == Len(s)
          IN  [k \in 1 .. n + Len(t) |-> IF k > n THEN t[k - n] ELSE s[k]]

Append(s, e) == [k \in 1 .. Len(s) + 1 |-> IF k \in DOMAIN s THEN s[k] ELSE e]

(* The first element, and all but the first; neither is defined for the empty sequence. *)
Head(s) == s[1]
Tail(s) == CASE Len(s) > 0 -> [k \in 1 .. Len(s) - 1 |-> s[1 + k]]

(* The elements at positions m .. n; empty when m > n. *)
SubSeq(s, m, n) == [k \in 1 .. (n - m) + 1 |-> s[m + (k - 1)]]

(* The elements that pass Test, in their order. *)
SelectSeq(s, Test(_)) ==
  LET kept[k \in 0 .. Len(s)] ==
        CASE k = 0            -> << >>
          [] k > 0 /\ Test(s[k])  -> Append(kept[k - 1], s[k])
          [] OTHER            -> kept[k - 1]
  IN  kept[Len(s)]
=============================================================================
