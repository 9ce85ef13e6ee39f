------------------------ MODULE DifferentialEquations -----------------------
(* Solutions of differential equations, after chapter 11 of the book Specifying Systems. Not checkable. *)

LOCAL INSTANCE Reals
LOCAL INSTANCE Sequences

LOCAL Between(a, b) == {r \in Real : a < r /\ r < b}
LOCAL Positive      == {r \in Real : 0 < r}
LOCAL Near(r, eps)  == Between(r - eps, r + eps)

(* d is the derivative of f. *)
LOCAL Derives(d, f) ==
  d \in [DOMAIN f -> Real] /\
  \A r \in DOMAIN f, eps \in Positive :
    \E delta \in Positive :
      \A s \in Near(r, delta) : s # r => (f[s] - f[r]) / (s - r) \in Near(d[r], eps)

(* d is the n-th derivative of f. *)
LOCAL DerivesTimes(n, d, f) ==
  LET is[k \in 0 .. n, g \in [DOMAIN f -> Real]] ==
        IF k = 0 THEN g = f
        ELSE \E h \in [DOMAIN f -> Real] : Derives(g, h) /\ is[k - 1, h]
  IN  is[n, d]

(* The values at b of the function and its first derivatives that solve D = 0 and start at a with InitVals. *)
Integrate(D, a, b, InitVals) ==
  LET n == Len(InitVals)
      solves(g) ==
        \E eps \in Positive :
          LET I == Between(a - eps, b + eps)
          IN  /\ g \in [0 .. n -> [I -> Real]]
              /\ \A k \in 1 .. n : DerivesTimes(k, g[k], g[0]) /\ g[k - 1][a] = InitVals[k]
              /\ \A r \in I : D[<<r>> \o [k \in 1 .. n + 1 |-> g[k - 1][r]]] = 0
      solution == CHOOSE g : solves(g)
  IN  [k \in 1 .. n |-> solution[k - 1][b]]
=============================================================================
