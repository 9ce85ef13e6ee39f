------------------------ MODULE SequencesExtTheorems ------------------------
(* Recursion over sequences, and facts that proofs cite. *)
EXTENDS Sequences, SequencesExt, Functions, Integers, WellFoundedInduction

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(SeqOfSeq, S, n, s, ConsProperties, seq, elt, i, ConsEmpty, x, ConsHeadTail, ConsAppend, y, ConsConcat,
                e, ls, rs, ConsInjective, f, t, SequencesInductionCons, P, ContainsEmpty, ContainsAppend,
                ContainsSingleton, ContainsConcat, T, ContainsCons, ContainsTailExceptHead, SortedEmpty, op,
                SortedSingleton, SortedAppend, z, SortedConcat, SortedInjective, SortedSubSeq, m, InsertAtProperties, j,
                RemoveAtProperties, FrontProperties, FrontOfEmpty, LastProperties, FrontLastOfSubSeq, FrontLastAppend,
                FrontInjectiveSeq, SequencesInductionFront, ReverseEmpty, ReverseEqual, ReverseEmptyIffEmpty,
                ReverseConcat, s1, s2, ReverseAppend, ReverseCons, ReverseSingleton, ReverseSubSeq, ReversePalindrome,
                LastEqualsHeadReverse, ReverseFrontEqualsTailReverse, RangeReverse, IsPrefixProperties, u,
                IsStrictPrefixProperties, IsPrefixElts, EmptyIsPrefix, IsStrictPrefixAppend, FrontIsPrefix,
                IsPrefixPartialOrder, ConcatIsPrefix, ConcatIsPrefixCancel, ConsIsPrefixCancel, ConsIsPrefix,
                IsStrictPrefixStrictPartialOrder, IsStrictPrefixWellFounded, SeqStrictPrefixInduction,
                IsSuffixProperties, IsStrictSuffixProperties, IsSuffixElts, EmptyIsSuffix, IsSuffixConcat,
                IsStrictSuffixCons, TailIsSuffix, IsSuffixPartialOrder, ConcatIsSuffix, ConcatIsSuffixCancel,
                AppendIsSuffixCancel, AppendIsSuffix, IsStrictSuffixStrictPartialOrder, IsStrictSuffixWellFounded,
                SeqStrictSuffixInduction, Def, g, h, pre, StrictPrefixesDetermineDef_WFDefOn,
                PrefixRecursiveSequenceFunctionUnique, PrefixRecursiveSequenceFunctionDef,
                PrefixRecursiveSequenceFunctionType, suf, StrictSuffixesDetermineDef_WFDefOn,
                SuffixRecursiveSequenceFunctionUnique, SuffixRecursiveSequenceFunctionDef,
                SuffixRecursiveSequenceFunctionType, f0, v, FoldLeftRecursion, base, FoldLeftEmpty, FoldLeftNonempty,
                FoldLeftAppend, FoldLeftType, Typ, FoldLeftConcat, FoldRightRecursion, FoldRightEmpty,
                FoldRightNonempty, FoldRightCons, FoldRightType, FoldRightConcat, FoldLeftDomainIsMFS,
                FoldRightDomainIsMFS) ==
  <<SeqOfSeq, S, n, s, ConsProperties, seq, elt, i, ConsEmpty, x, ConsHeadTail, ConsAppend, y, ConsConcat, e, ls,
    rs, ConsInjective, f, t, SequencesInductionCons, P, ContainsEmpty, ContainsAppend, ContainsSingleton,
    ContainsConcat, T, ContainsCons, ContainsTailExceptHead, SortedEmpty, op, SortedSingleton, SortedAppend, z,
    SortedConcat, SortedInjective, SortedSubSeq, m, InsertAtProperties, j, RemoveAtProperties, FrontProperties,
    FrontOfEmpty, LastProperties, FrontLastOfSubSeq, FrontLastAppend, FrontInjectiveSeq, SequencesInductionFront,
    ReverseEmpty, ReverseEqual, ReverseEmptyIffEmpty, ReverseConcat, s1, s2, ReverseAppend, ReverseCons,
    ReverseSingleton, ReverseSubSeq, ReversePalindrome, LastEqualsHeadReverse, ReverseFrontEqualsTailReverse,
    RangeReverse, IsPrefixProperties, u, IsStrictPrefixProperties, IsPrefixElts, EmptyIsPrefix,
    IsStrictPrefixAppend, FrontIsPrefix, IsPrefixPartialOrder, ConcatIsPrefix, ConcatIsPrefixCancel,
    ConsIsPrefixCancel, ConsIsPrefix, IsStrictPrefixStrictPartialOrder, IsStrictPrefixWellFounded,
    SeqStrictPrefixInduction, IsSuffixProperties, IsStrictSuffixProperties, IsSuffixElts, EmptyIsSuffix,
    IsSuffixConcat, IsStrictSuffixCons, TailIsSuffix, IsSuffixPartialOrder, ConcatIsSuffix, ConcatIsSuffixCancel,
    AppendIsSuffixCancel, AppendIsSuffix, IsStrictSuffixStrictPartialOrder, IsStrictSuffixWellFounded,
    SeqStrictSuffixInduction, Def, g, h, pre, StrictPrefixesDetermineDef_WFDefOn,
    PrefixRecursiveSequenceFunctionUnique, PrefixRecursiveSequenceFunctionDef,
    PrefixRecursiveSequenceFunctionType, suf, StrictSuffixesDetermineDef_WFDefOn,
    SuffixRecursiveSequenceFunctionUnique, SuffixRecursiveSequenceFunctionDef,
    SuffixRecursiveSequenceFunctionType, f0, v, FoldLeftRecursion, base, FoldLeftEmpty, FoldLeftNonempty,
    FoldLeftAppend, FoldLeftType, Typ, FoldLeftConcat, FoldRightRecursion, FoldRightEmpty, FoldRightNonempty,
    FoldRightCons, FoldRightType, FoldRightConcat, FoldLeftDomainIsMFS, FoldRightDomainIsMFS>>

(* Def(g, s) depends only on g at the strict beginnings, or ends, of s. *)
StrictPrefixesDetermineDef(S, Def(_, _)) ==
  \A s \in Seq(S) : \A g, h :
    (\A p_ \in Seq(S) : IsStrictPrefix(p_, s) => g[p_] = h[p_]) => Def(g, s) = Def(h, s)
StrictSuffixesDetermineDef(S, Def(_, _)) ==
  \A s \in Seq(S) : \A g, h :
    (\A p_ \in Seq(S) : IsStrictSuffix(p_, s) => g[p_] = h[p_]) => Def(g, s) = Def(h, s)

(* f is what recursion over the tail, or the front, chooses; f satisfies it. *)
LOCAL Unfold_(g, S, start_, Def(_, _), Shorter_(_)) ==
  [s \in Seq(S) |-> IF s = << >> THEN start_ ELSE Def(g[Shorter_(s)], s)]
TailInductiveDefHypothesis(f, S, f0, Def(_, _))  == f = CHOOSE g : g = Unfold_(g, S, f0, Def, Tail)
TailInductiveDefConclusion(f, S, f0, Def(_, _))  == f = Unfold_(f, S, f0, Def, Tail)
FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) == f = CHOOSE g : g = Unfold_(g, S, f0, Def, Front)
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) == f = Unfold_(f, S, f0, Def, Front)

THEOREM TailInductiveDef ==
  ASSUME NEW S, NEW Def(_, _), NEW f, NEW f0, TailInductiveDefHypothesis(f, S, f0, Def)
  PROVE  TailInductiveDefConclusion(f, S, f0, Def)
THEOREM TailInductiveDefType ==
  ASSUME NEW S, NEW T, NEW Def(_, _), NEW f, NEW f0 \in T, TailInductiveDefConclusion(f, S, f0, Def),
         \A v \in T, s \in Seq(S) : s = << >> \/ Def(v, s) \in T
  PROVE  f \in [Seq(S) -> T]
THEOREM FrontInductiveDef ==
  ASSUME NEW S, NEW Def(_, _), NEW f, NEW f0, FrontInductiveDefHypothesis(f, S, f0, Def)
  PROVE  FrontInductiveDefConclusion(f, S, f0, Def)
THEOREM FrontInductiveDefType ==
  ASSUME NEW S, NEW T, NEW Def(_, _), NEW f, NEW f0 \in T, FrontInductiveDefConclusion(f, S, f0, Def),
         \A v \in T, s \in Seq(S) : s = << >> \/ Def(v, s) \in T
  PROVE  f \in [Seq(S) -> T]
THEOREM ContainsRange == \A S, e : \A s \in Seq(S) : e \in Range(s) <=> Contains(s, e)
THEOREM ContainsTail ==
  \A S, e : \A s \in Seq(S) : s # << >> => (Contains(s, e) <=> Head(s) = e \/ Contains(Tail(s), e))
THEOREM IsPrefixConcat == \A S : \A s, t \in Seq(S) : IsPrefix(s, s \o t)
THEOREM ReverseProperties ==
  \A S : \A s \in Seq(S) : Reverse(s) \in Seq(S) /\ Len(Reverse(s)) = Len(s) /\ Reverse(Reverse(s)) = s
=============================================================================
