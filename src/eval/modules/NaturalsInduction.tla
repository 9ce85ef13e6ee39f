-------------------------- MODULE NaturalsInduction -------------------------
(* Induction over natural numbers, and functions defined by it. *)
EXTENDS Integers

THEOREM NatInduction ==
  ASSUME NEW P(_), P(0), \A k \in Nat : P(k) => P(k + 1) PROVE \A k \in Nat : P(k)
THEOREM DownwardNatInduction ==
  ASSUME NEW P(_), NEW m \in Nat, P(m), \A k \in 1 .. m : P(k) => P(k - 1) PROVE P(0)
THEOREM GeneralNatInduction ==
  ASSUME NEW P(_), \A k \in Nat : (\A j \in 0 .. k - 1 : P(j)) => P(k) PROVE \A k \in Nat : P(k)
THEOREM SmallestNatural ==
  ASSUME NEW P(_), NEW k \in Nat, P(k)
  PROVE  \E least \in Nat : P(least) /\ \A j \in 0 .. least - 1 : ~ P(j)

(* f is what the recursion with start f0 and step Def chooses; f satisfies the recursion. The same on m .. n. *)
LOCAL Unfold(g, D, first, start, Def(_, _)) ==
  [i \in D |-> IF i = first THEN start ELSE Def(g[i - 1], i)]
NatInductiveDefHypothesis(f, f0, Def(_, _)) == f = CHOOSE g : g = Unfold(g, Nat, 0, f0, Def)
NatInductiveDefConclusion(f, f0, Def(_, _)) == f = Unfold(f, Nat, 0, f0, Def)
FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) == f = CHOOSE g : g = Unfold(g, m .. n, m, c, Def)
FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) == f = Unfold(f, m .. n, m, c, Def)

THEOREM RecursiveFcnOfNat ==
  ASSUME NEW Def(_, _),
         \A k \in Nat : \A g, h : (\A j \in 0 .. k - 1 : g[j] = h[j]) => Def(g, k) = Def(h, k)
  PROVE  LET f[k \in Nat] == Def(f, k) IN f = [k \in Nat |-> Def(f, k)]
THEOREM RecursiveFcnOfNatType ==
  ASSUME NEW Def(_, _), NEW T, NEW f, f = [k \in Nat |-> Def(f, k)],
         \A k \in Nat : \A g : (\A j \in 0 .. k - 1 : g[j] \in T) => Def(g, k) \in T
  PROVE  f \in [Nat -> T]
THEOREM RecursiveFcnOfNatUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g, f = [k \in Nat |-> Def(f, k)], g = [k \in Nat |-> Def(g, k)],
         \A k \in Nat : \A u, v : (\A j \in 0 .. k - 1 : u[j] = v[j]) => Def(u, k) = Def(v, k)
  PROVE  f = g
THEOREM NatInductiveDef ==
  ASSUME NEW Def(_, _), NEW f, NEW f0, NatInductiveDefHypothesis(f, f0, Def)
  PROVE  NatInductiveDefConclusion(f, f0, Def)
THEOREM NatInductiveDefType ==
  ASSUME NEW Def(_, _), NEW T, NEW f, NEW f0 \in T, NatInductiveDefConclusion(f, f0, Def),
         \A v \in T, k \in Nat \ {0} : Def(v, k) \in T
  PROVE  f \in [Nat -> T]
THEOREM NatInductiveUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g, NEW f0,
         NatInductiveDefConclusion(f, f0, Def), NatInductiveDefConclusion(g, f0, Def)
  PROVE  f = g
THEOREM FiniteNatInductiveDef ==
  ASSUME NEW Def(_, _), NEW f, NEW c, NEW m \in Nat, NEW n \in Nat,
         FiniteNatInductiveDefHypothesis(f, c, Def, m, n)
  PROVE  FiniteNatInductiveDefConclusion(f, c, Def, m, n)
THEOREM FiniteNatInductiveDefType ==
  ASSUME NEW Def(_, _), NEW T, NEW f, NEW c \in T, NEW m \in Nat, NEW n \in Nat,
         FiniteNatInductiveDefConclusion(f, c, Def, m, n),
         \A v \in T, k \in m + 1 .. n : Def(v, k) \in T
  PROVE  f \in [m .. n -> T]
THEOREM FiniteNatInductiveUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g, NEW c, NEW m \in Nat, NEW n \in Nat,
         FiniteNatInductiveDefConclusion(f, c, Def, m, n), FiniteNatInductiveDefConclusion(g, c, Def, m, n)
  PROVE  f = g
=============================================================================
