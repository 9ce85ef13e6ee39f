--------------------------------- MODULE TLC --------------------------------
(* Operators that talk to the checker, and small conveniences. *)

LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

(* What is evaluated is native; these definitions are what proofs and levels go by. So an argument
   that does not decide about the value is not named: an assumption may print a variable.

   Both print; the first is its second argument, the other is TRUE. *)
Print(out, val) == val
PrintT(out)     == TRUE

(* Stops the run with `out` as the message unless val is TRUE. *)
Assert(val, out) == val = TRUE \/ CHOOSE v \in BOOLEAN : v = v

(* Seconds since 1970. *)
JavaTime == CHOOSE t : t \in Nat

(* Registers of the worker that evaluates: TLCSet(i, v) stores (and is TRUE), TLCGet(i) reads, for i a natural number
   or a string that starts with "s:". TLCGet also answers "level", "diameter", "distinct", "generated", "queue",
   "duration", "stats", "config", "spec", "action", "revision", "all" and "all:named"; TLCSet("exit", TRUE) stops. *)
TLCGet(i)    == CHOOSE v : v = v
TLCSet(i, v) == TRUE

(* The function with one argument d, and the union of two functions in which the left one wins. *)
d :> e == [x \in {d} |-> e]
f @@ g == LET left == DOMAIN f
          IN  [x \in left \cup DOMAIN g |-> IF x \in left THEN f[x] ELSE g[x]]

(* All bijections of a finite set onto itself. *)
Permutations(S) == {p \in [S -> S] : {p[x] : x \in S} = S}

(* The elements of s in an order in which Op holds from earlier to later ones; sorting is stable. *)
SortSeq(s, Op(_, _)) ==
  LET n == Len(s)
      before[k \in 0 .. n] ==
        IF k = 0 THEN << >>
        ELSE LET done == before[k - 1]
                 pos  == CHOOSE i \in 1 .. k :
                           /\ \A j \in i .. k - 1 : Op(s[k], done[j])
                           /\ i > 1 => ~ Op(s[k], done[i - 1])
             IN  SubSeq(done, 1, pos - 1) \o <<s[k]>> \o SubSeq(done, pos, k - 1)
  IN  before[n]

(* Some element, each with the same probability. *)
RandomElement(s) == CHOOSE x \in s : TRUE

(* A set that contains everything. *)
Any == CHOOSE A : \A x \in A : TRUE

(* The text of a value, as it would be printed. *)
ToString(v) == CHOOSE text \in STRING : <<v, text>> = <<v, text>>

(* The value itself, evaluated at once and completely. *)
TLCEval(v) == v
=============================================================================
