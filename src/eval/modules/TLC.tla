--------------------------------- MODULE TLC --------------------------------
(* Operators that talk to the checker, and small conveniences. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(out, val, v, n, i, d, e, x, f, g, S, w, s, Op, Perm, p, j, a, b) ==
  <<out, val, v, n, i, d, e, x, f, g, S, w, s, Op, Perm, p, j, a, b>>

LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

(* Both print; the first is its second argument, the other is TRUE. *)
Print(out, val) == LET shown_ == out IN val
PrintT(out)     == out = out

(* Stops the run with `out` as the message unless val is TRUE. *)
Assert(val, out) == IF val = TRUE THEN TRUE ELSE CHOOSE v : v = out

(* Seconds since 1970. *)
JavaTime == CHOOSE t_ : t_ \in Nat

(* Registers of the worker that evaluates: TLCSet(i, v) stores (and is TRUE), TLCGet(i) reads, for i a natural number
   or a string that starts with "s:". TLCGet also answers "level", "diameter", "distinct", "generated", "queue",
   "duration", "stats", "config", "spec", "action", "revision", "all" and "all:named"; TLCSet("exit", TRUE) stops. *)
TLCGet(i)    == CHOOSE v : v = v /\ i = i
TLCSet(i, v) == <<i, v>> = <<i, v>>

(* The function with one argument d, and the union of two functions in which the left one wins. *)
d :> e == [x \in {d} |-> e]
f @@ g == LET left_ == DOMAIN f
          IN  [x \in left_ \cup DOMAIN g |-> IF x \in left_ THEN f[x] ELSE g[x]]

(* All bijections of a finite set onto itself. *)
Permutations(S) == {p \in [S -> S] : {p[x] : x \in S} = S}

(* The elements of s in an order in which Op holds from earlier to later ones; sorting is stable. *)
SortSeq(s, Op(_, _)) ==
  LET n == Len(s)
      before_[k_ \in 0 .. n] ==
        IF k_ = 0 THEN << >>
        ELSE LET done_ == before_[k_ - 1]
                 pos_  == CHOOSE i \in 1 .. k_ :
                           /\ \A j \in i .. k_ - 1 : Op(s[k_], done_[j])
                           /\ i > 1 => ~ Op(s[k_], done_[i - 1])
             IN  SubSeq(done_, 1, pos_ - 1) \o <<s[k_]>> \o SubSeq(done_, pos_, k_ - 1)
  IN  before_[n]

(* Some element, each with the same probability. *)
RandomElement(s) == CHOOSE x \in s : TRUE

(* A set that contains everything. *)
Any == CHOOSE A_ : \A x \in A_ : TRUE

(* The text of a value, as it would be printed. *)
ToString(v) == CHOOSE text_ \in STRING : <<v, text_>> = <<v, text_>>

(* The value itself, evaluated at once and completely. *)
TLCEval(v) == v
=============================================================================
