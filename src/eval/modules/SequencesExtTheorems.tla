------------------------ MODULE SequencesExtTheorems ------------------------
(* Recursion over sequences, and facts that proofs cite. *)
EXTENDS Sequences, SequencesExt, Functions, Integers, WellFoundedInduction

(* Def(g, s) depends only on g at the strict beginnings, or ends, of s. *)
StrictPrefixesDetermineDef(S, Def(_, _)) ==
  \A s \in Seq(S) : \A g, h :
    (\A p \in Seq(S) : IsStrictPrefix(p, s) => g[p] = h[p]) => Def(g, s) = Def(h, s)
StrictSuffixesDetermineDef(S, Def(_, _)) ==
  \A s \in Seq(S) : \A g, h :
    (\A p \in Seq(S) : IsStrictSuffix(p, s) => g[p] = h[p]) => Def(g, s) = Def(h, s)

(* f is what recursion over the tail, or the front, chooses; f satisfies it. *)
LOCAL Unfold(g, S, start, Def(_, _), Shorter(_)) ==
  [s \in Seq(S) |-> IF s = << >> THEN start ELSE Def(g[Shorter(s)], s)]
TailInductiveDefHypothesis(f, S, f0, Def(_, _))  == f = CHOOSE g : g = Unfold(g, S, f0, Def, Tail)
TailInductiveDefConclusion(f, S, f0, Def(_, _))  == f = Unfold(f, S, f0, Def, Tail)
FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) == f = CHOOSE g : g = Unfold(g, S, f0, Def, Front)
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) == f = Unfold(f, S, f0, Def, Front)

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
