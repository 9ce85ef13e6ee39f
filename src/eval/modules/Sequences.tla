----------------------------- MODULE Sequences ------------------------------
(* Finite sequences: functions whose domain is 1 .. n. Tuples are sequences. Strings are atoms, but Len, \o, SubSeq
   and Tail work on them as well. *)

LOCAL INSTANCE Naturals

(* All finite sequences over S. *)
Seq(S) == UNION {[1 .. n -> S] : n \in Nat}

Len(s) == CHOOSE n \in {0} \cup DOMAIN s : 1 .. n = DOMAIN s

(* First s, then t. *)
s \o t == LET n == Len(s)
          IN  [i \in 1 .. n + Len(t) |-> IF i > n THEN t[i - n] ELSE s[i]]

Append(s, e) == [i \in 1 .. Len(s) + 1 |-> IF i \in DOMAIN s THEN s[i] ELSE e]

(* The first element, and all but the first; neither is defined for the empty sequence. *)
Head(s) == s[1]
Tail(s) == CASE Len(s) > 0 -> [i \in 1 .. Len(s) - 1 |-> s[1 + i]]

(* The elements at positions m .. n; empty when m > n. *)
SubSeq(s, m, n) == [i \in 1 .. (n - m) + 1 |-> s[m + (i - 1)]]

(* The elements that pass Test, in their order. *)
SelectSeq(s, Test(_)) ==
  LET kept[i \in 0 .. Len(s)] ==
        CASE i = 0            -> << >>
          [] i > 0 /\ Test(s[i])  -> Append(kept[i - 1], s[i])
          [] OTHER            -> kept[i - 1]
  IN  kept[Len(s)]
=============================================================================
