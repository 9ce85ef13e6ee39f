-------------------------- MODULE NaturalsInduction -------------------------
(* Induction over natural numbers, and functions defined by it. *)
EXTENDS Integers

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(P, n, m, k, Def, g, h, i, f, f0, S, v, ff, gg, c) ==
  <<P, n, m, k, Def, g, h, i, f, f0, S, v, ff, gg, c>>

THEOREM NatInduction ==
  ASSUME NEW P(_), P(0), \A k \in Nat : P(k) => P(k + 1) PROVE \A k \in Nat : P(k)
THEOREM DownwardNatInduction ==
  ASSUME NEW P(_), NEW m \in Nat, P(m), \A k \in 1 .. m : P(k) => P(k - 1) PROVE P(0)
THEOREM GeneralNatInduction ==
  ASSUME NEW P(_), \A k \in Nat : (\A j_ \in 0 .. k - 1 : P(j_)) => P(k) PROVE \A k \in Nat : P(k)
THEOREM SmallestNatural ==
  ASSUME NEW P(_), NEW k \in Nat, P(k)
  PROVE  \E least_ \in Nat : P(least_) /\ \A j_ \in 0 .. least_ - 1 : ~ P(j_)

(* f is what the recursion with start f0 and step Def chooses; f satisfies the recursion. The same on m .. n. *)
LOCAL Unfold_(g, D_, first_, start_, Def(_, _)) ==
  [i \in D_ |-> IF i = first_ THEN start_ ELSE Def(g[i - 1], i)]
NatInductiveDefHypothesis(f, f0, Def(_, _)) == f = CHOOSE g : g = Unfold_(g, Nat, 0, f0, Def)
NatInductiveDefConclusion(f, f0, Def(_, _)) == f = Unfold_(f, Nat, 0, f0, Def)
FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) == f = CHOOSE g : g = Unfold_(g, m .. n, m, c, Def)
FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) == f = Unfold_(f, m .. n, m, c, Def)

THEOREM RecursiveFcnOfNat ==
  ASSUME NEW Def(_, _),
         \A k \in Nat : \A g, h : (\A j_ \in 0 .. k - 1 : g[j_] = h[j_]) => Def(g, k) = Def(h, k)
  PROVE  LET f[k \in Nat] == Def(f, k) IN f = [k \in Nat |-> Def(f, k)]
THEOREM RecursiveFcnOfNatType ==
  ASSUME NEW Def(_, _), NEW T_, NEW f, f = [k \in Nat |-> Def(f, k)],
         \A k \in Nat : \A g : (\A j_ \in 0 .. k - 1 : g[j_] \in T_) => Def(g, k) \in T_
  PROVE  f \in [Nat -> T_]
THEOREM RecursiveFcnOfNatUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g, f = [k \in Nat |-> Def(f, k)], g = [k \in Nat |-> Def(g, k)],
         \A k \in Nat : \A u_, v : (\A j_ \in 0 .. k - 1 : u_[j_] = v[j_]) => Def(u_, k) = Def(v, k)
  PROVE  f = g
THEOREM NatInductiveDef ==
  ASSUME NEW Def(_, _), NEW f, NEW f0, NatInductiveDefHypothesis(f, f0, Def)
  PROVE  NatInductiveDefConclusion(f, f0, Def)
THEOREM NatInductiveDefType ==
  ASSUME NEW Def(_, _), NEW T_, NEW f, NEW f0 \in T_, NatInductiveDefConclusion(f, f0, Def),
         \A v \in T_, k \in Nat \ {0} : Def(v, k) \in T_
  PROVE  f \in [Nat -> T_]
THEOREM NatInductiveUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g, NEW f0,
         NatInductiveDefConclusion(f, f0, Def), NatInductiveDefConclusion(g, f0, Def)
  PROVE  f = g
THEOREM FiniteNatInductiveDef ==
  ASSUME NEW Def(_, _), NEW f, NEW c, NEW m \in Nat, NEW n \in Nat,
         FiniteNatInductiveDefHypothesis(f, c, Def, m, n)
  PROVE  FiniteNatInductiveDefConclusion(f, c, Def, m, n)
THEOREM FiniteNatInductiveDefType ==
  ASSUME NEW Def(_, _), NEW T_, NEW f, NEW c \in T_, NEW m \in Nat, NEW n \in Nat,
         FiniteNatInductiveDefConclusion(f, c, Def, m, n),
         \A v \in T_, k \in m + 1 .. n : Def(v, k) \in T_
  PROVE  f \in [m .. n -> T_]
THEOREM FiniteNatInductiveUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g, NEW c, NEW m \in Nat, NEW n \in Nat,
         FiniteNatInductiveDefConclusion(f, c, Def, m, n), FiniteNatInductiveDefConclusion(g, c, Def, m, n)
  PROVE  f = g
=============================================================================
