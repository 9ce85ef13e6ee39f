---------------------------- MODULE SequencesExt ----------------------------
(* More operators on sequences. Those that say so work on strings too. *)
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions, Bags, TLC

-----------------------------------------------------------------------------
(* Between sets, bags and sequences. *)

ToSet(s) == {s[i] : i \in DOMAIN s}
ToBag(s) == [x \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = x})]

(* The elements of S, each once, in the order in which CHOOSE picks them. *)
SetToSeq(S) ==
  LET list[T \in SUBSET S] ==
        IF T = {} THEN << >>
        ELSE LET x == CHOOSE y \in T : TRUE
             IN  <<x>> \o list[T \ {x}]
  IN  list[S]

(* All orders of the elements of S; all orders of all its subsets; the elements sorted by op. *)
SetToSeqs(S)               == {f \in [1 .. Cardinality(S) -> S] : IsInjective(f)}
SetToAllKPermutations(S)   == UNION {SetToSeqs(T) : T \in SUBSET S}
SetToSortSeq(S, op(_, _))  == SortSeq(SetToSeq(S), op)

(* Sequences over a set: of length n, of length at most n. *)
TupleOf(set, n)  == [1 .. n -> set]
SeqOf(set, n)    == UNION {TupleOf(set, len) : len \in 0 .. n}
BoundedSeq(S, n) == SeqOf(S, n)

-----------------------------------------------------------------------------
(* Looking. *)

Contains(s, e) == \E i \in DOMAIN s : s[i] = e

(* op holds from every earlier element to every later one. *)
IsSorted(s, op(_, _)) == \A j \in 1 .. Len(s) : \A i \in 1 .. j - 1 : op(s[i], s[j])

(* The first or last position (between from and to) whose element passes Test, or 0. *)
LOCAL Hits(seq, from, to, Test(_)) == {i \in from .. to : Test(seq[i])}
LOCAL First(I) == IF I = {} THEN 0 ELSE Min(I)
LOCAL Final(I) == IF I = {} THEN 0 ELSE Max(I)
SelectInSeq(seq, Test(_))                  == First(Hits(seq, 1, Len(seq), Test))
SelectInSubSeq(seq, from, to, Test(_))     == First(Hits(seq, from, to, Test))
SelectLastInSeq(seq, Test(_))              == Final(Hits(seq, 1, Len(seq), Test))
SelectLastInSubSeq(seq, from, to, Test(_)) == Final(Hits(seq, from, to, Test))

-----------------------------------------------------------------------------
(* Changing. *)

Reverse(s)              == LET n == Len(s) IN [i \in 1 .. n |-> s[n + 1 - i]]
Remove(s, e)            == SelectSeq(s, LAMBDA x : x # e)
ReplaceAll(s, old, new) == [i \in DOMAIN s |-> IF s[i] = old THEN new ELSE s[i]]

InsertAt(s, i, e)  == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i)     == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

(* Without the first element that equals e, or that passes Test. *)
RemoveFirstMatch(s, Test(_)) ==
  LET i == SelectInSeq(s, Test)
  IN  IF i = 0 THEN s ELSE RemoveAt(s, i)
RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)

Cons(elt, seq) == <<elt>> \o seq
Snoc(elt, seq) == Append(seq, elt)
Front(s)       == SubSeq(s, 1, Len(s) - 1)
Last(s)        == s[Len(s)]

-----------------------------------------------------------------------------
(* Beginnings and ends. *)

IsPrefix(s, t)       == Len(s) \leq Len(t) /\ s = SubSeq(t, 1, Len(s)) (* strings too *)
IsStrictPrefix(s, t) == s # t /\ IsPrefix(s, t)
IsSuffix(s, t)       == IsPrefix(Reverse(s), Reverse(t))
IsStrictSuffix(s, t) == s # t /\ IsSuffix(s, t)

Prefixes(s) == {SubSeq(s, 1, n) : n \in 0 .. Len(s)}
Suffixes(s) == {SubSeq(s, n + 1, Len(s)) : n \in 0 .. Len(s)}

(* The sequences that begin every sequence of S, and the longest of them. *)
CommonPrefixes(S) ==
  {p \in UNION {Prefixes(s) : s \in S} : \A s \in S : IsPrefix(p, s)}
LongestCommonPrefix(S) ==
  LET common == CommonPrefixes(S)
  IN  CHOOSE p \in common : \A q \in common : Len(p) \geq Len(q)

-----------------------------------------------------------------------------
(* a modulo b as a position: b stands for 0. *)
SeqMod(a, b) == LET r == a % b IN IF r = 0 THEN b ELSE r

(* Folds: in no particular order, from the left, from the right; over elements or positions. *)
FoldSeq(op(_, _), base, seq) == FoldFunction(op, base, seq)

FoldLeft(op(_, _), base, seq) ==
  LET acc[i \in 0 .. Len(seq)] == IF i = 0 THEN base ELSE op(acc[i - 1], seq[i])
  IN  acc[Len(seq)]

FoldRight(op(_, _), seq, base) ==
  LET acc[i \in 1 .. Len(seq) + 1] == IF i > Len(seq) THEN base ELSE op(seq[i], acc[i + 1])
  IN  acc[1]

FoldLeftDomain(op(_, _), base, seq)  == FoldLeft(op, base, [i \in 1 .. Len(seq) |-> i])
FoldRightDomain(op(_, _), seq, base) == FoldRight(op, [i \in 1 .. Len(seq) |-> i], base)

-----------------------------------------------------------------------------
(* All sequences of seqs (or strings) one after the other. *)
FlattenSeq(seqs) ==
  IF seqs = << >> THEN seqs
  ELSE FoldLeft(LAMBDA s, t : s \o t, Head(seqs), Tail(seqs))

(* Pairs of elements at the same position, as far as both sequences go. *)
Zip(s, t) == [i \in DOMAIN s \cap DOMAIN t |-> <<s[i], t[i]>>]

(* One-element sequences, in turn from s and t, which must have the same length. *)
Interleave(s, t) ==
  CASE s = << >> /\ t = << >> -> << << >>, << >> >>
    [] s # << >> /\ Len(s) = Len(t) ->
         [i \in 1 .. 2 * Len(s) |-> IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]

(* Parts without gaps, and with gaps. *)
SubSeqs(s) == {SubSeq(s, a, b) : a \in 1 .. Len(s) + 1, b \in 0 .. Len(s)}
AllSubSeqs(s) ==
  LET at(I) == LET list == SetToSortSeq(I, <) IN [k \in 1 .. Len(list) |-> s[list[k]]]
  IN  {at(I) : I \in SUBSET DOMAIN s}

(* The first position at which s stands in t. *)
LOCAL StandsAt(s, t, i) ==
  i + Len(s) \leq Len(t) + 1 /\ SubSeq(t, i, i + Len(s) - 1) = s
IndexFirstSubSeq(s, t) ==
  CHOOSE i \in 1 .. Len(t) + 1 :
    StandsAt(s, t, i) /\ \A j \in 1 .. i - 1 : ~ StandsAt(s, t, j)

(* t with r in place of s: at position i, at the first place, at every place from the left (strings too).
   An empty s stands before every element. *)
ReplaceSubSeqAt(i, r, s, t) == SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))
ReplaceFirstSubSeq(r, s, t) ==
  IF \E i \in 1 .. Len(t) + 1 : StandsAt(s, t, i)
  THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t)
  ELSE t
ReplaceAllSubSeqs(r, s, t) ==
  LET rest[i \in 1 .. Len(t) + 1] ==
        CASE i > Len(t) -> SubSeq(t, 1, 0)
          [] i \leq Len(t) /\ StandsAt(s, t, i) ->
               r \o (IF Len(s) = 0 THEN SubSeq(t, i, i) \o rest[i + 1] ELSE rest[i + Len(s)])
          [] OTHER -> SubSeq(t, i, i) \o rest[i + 1]
  IN  IF s = t THEN r ELSE rest[1]
=============================================================================
