-------------------------- MODULE SequenceTheorems --------------------------
(* Facts about sequences that proofs cite. *)
EXTENDS Sequences, Functions

LOCAL INSTANCE NaturalsInduction
LOCAL INSTANCE TLAPS

LEMMA SeqDef == \A S : UNION {[1 .. n -> S] : n \in Nat} = Seq(S)
THEOREM SeqMonotonic == \A S, T : S \subseteq T => Seq(S) \subseteq Seq(T)
THEOREM ElementOfSeq == \A S : \A s \in Seq(S) : \A i \in 1 .. Len(s) : s[i] \in S
THEOREM EmptySeq ==
  \A S : << >> \in Seq(S) /\ Len(<< >>) = 0 /\ \A s \in Seq(S) : s = << >> \/ Len(s) \in Nat \ {0}
THEOREM LenProperties ==
  \A S : \A s \in Seq(S) : Len(s) \in Nat /\ DOMAIN s = 1 .. Len(s) /\ s \in [1 .. Len(s) -> S]
THEOREM IsASeq ==
  ASSUME NEW S, NEW n \in Nat, NEW e(_), \A i \in 1 .. n : e(i) \in S PROVE [i \in 1 .. n |-> e(i)] \in Seq(S)
THEOREM ExceptSeq ==
  \A S : \A s \in Seq(S), e \in S : \A i \in 1 .. Len(s) :
    LET t == [s EXCEPT ![i] = e]
    IN  t \in Seq(S) /\ Len(t) = Len(s) /\ t[i] = e /\ \A j \in 1 .. Len(s) : j # i => t[j] = s[j]
THEOREM SeqEqual ==
  \A S : \A s, t \in Seq(S) : Len(s) = Len(t) /\ (\A i \in 1 .. Len(s) : s[i] = t[i]) => s = t

THEOREM ConcatProperties ==
  \A S : \A s, t \in Seq(S) :
    /\ s \o t \in Seq(S) /\ Len(s \o t) = Len(s) + Len(t)
    /\ \A i \in 1 .. Len(s) : (s \o t)[i] = s[i]
    /\ \A i \in 1 .. Len(t) : (s \o t)[Len(s) + i] = t[i]
THEOREM ConcatEmptySeq == \A S : \A s \in Seq(S) : << >> \o s = s /\ s \o << >> = s
THEOREM ConcatAssociative == \A S : \A s, t, u \in Seq(S) : s \o (t \o u) = (s \o t) \o u
THEOREM ConcatEqualIffEmpty ==
  \A S : \A s, t \in Seq(S) :
    (s \o t = s <=> t = << >>) /\ (s \o t = t <=> s = << >>) /\ (s \o t = << >> <=> s = << >> /\ t = << >>)

THEOREM SubSeqProperties ==
  \A S, s : \A m, n \in Int : (\A i \in m .. n : s[i] \in S) =>
    /\ SubSeq(s, m, n) \in Seq(S)
    /\ Len(SubSeq(s, m, n)) = (IF m \leq n THEN (n - m) + 1 ELSE 0)
    /\ \A i \in 1 .. (n - m) + 1 : SubSeq(s, m, n)[i] = s[(m + i) - 1]
THEOREM SubSeqEmpty == \A s : \A m, n \in Int : n < m => SubSeq(s, m, n) = << >>
THEOREM SubSeqRange == \A S : \A s \in Seq(S) : \A m, n \in 1 .. Len(s) : Range(SubSeq(s, m, n)) \subseteq Range(s)
THEOREM HeadTailProperties ==
  \A S : \A s \in Seq(S) : s # << >> =>
    /\ Head(s) \in S /\ Head(s) \in Range(s)
    /\ Tail(s) \in Seq(S) /\ Len(Tail(s)) = Len(s) - 1 /\ Range(Tail(s)) \subseteq Range(s)
    /\ \A i \in 1 .. Len(s) - 1 : Tail(s)[i] = s[i + 1]
THEOREM TailIsSubSeq == \A S : \A s \in Seq(S) : s # << >> => SubSeq(s, 2, Len(s)) = Tail(s)
THEOREM SubSeqRestrict == \A S : \A s \in Seq(S) : \A n \in 0 .. Len(s) : Restrict(s, 1 .. n) = SubSeq(s, 1, n)

THEOREM AppendProperties ==
  \A S : \A s \in Seq(S), e \in S :
    /\ Append(s, e) \in Seq(S) /\ Append(s, e) # << >> /\ Len(Append(s, e)) = 1 + Len(s)
    /\ Append(s, e)[1 + Len(s)] = e /\ \A i \in 1 .. Len(s) : Append(s, e)[i] = s[i]
    /\ Range(Append(s, e)) = {e} \cup Range(s)
THEOREM AppendIsConcat == \A S : \A s \in Seq(S), e \in S : s \o <<e>> = Append(s, e)
THEOREM AppendInjective == \A S : \A s, t \in Seq(S), d, e \in S : (s = t /\ d = e) <=> Append(s, d) = Append(t, e)
THEOREM SequenceEmptyOrAppend == \A S : \A s \in Seq(S) : s = << >> \/ \E t \in Seq(S), e \in S : Append(t, e) = s

THEOREM SequencesInductionAppend ==
  ASSUME NEW P(_), NEW S, P(<< >>), \A s \in Seq(S), e \in S : P(s) => P(Append(s, e))
  PROVE  \A s \in Seq(S) : P(s)
THEOREM SequencesInductionTail ==
  ASSUME NEW P(_), NEW S, P(<< >>), \A s \in Seq(S) : s # << >> /\ P(Tail(s)) => P(s)
  PROVE  \A s \in Seq(S) : P(s)

THEOREM RangeOfSeq == \A S : \A s \in Seq(S) : Range(s) \subseteq S
THEOREM RangeEquality == \A S : \A s \in Seq(S) : {s[i] : i \in 1 .. Len(s)} = Range(s)
THEOREM SeqOfRange == \A S : \A s \in Seq(S) : s \in Seq(Range(s))
THEOREM RangeConcatenation == \A S : \A s, t \in Seq(S) : Range(s) \cup Range(t) = Range(s \o t)
=============================================================================
