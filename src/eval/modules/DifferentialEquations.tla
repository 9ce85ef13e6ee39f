------------------------ MODULE DifferentialEquations -----------------------
(* Solutions of differential equations, after chapter 11 of the book Specifying Systems. Not checkable. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(PosReal, r, OpenInterval, a, b, s, Nbhd, e, IsFirstDeriv, df, f, d, IsDeriv, n, IsD, k, g, gg, D,
                InitVals, i) ==
  <<PosReal, r, OpenInterval, a, b, s, Nbhd, e, IsFirstDeriv, df, f, d, IsDeriv, n, IsD, k, g, gg, D, InitVals, i>>

LOCAL INSTANCE Reals
LOCAL INSTANCE Sequences

LOCAL Between_(a, b) == {r \in Real : a < r /\ r < b}
LOCAL Positive_      == {r \in Real : 0 < r}
LOCAL Near_(r, eps_)  == Between_(r - eps_, r + eps_)

(* d is the derivative of f. *)
LOCAL Derives_(d, f) ==
  d \in [DOMAIN f -> Real] /\
  \A r \in DOMAIN f, eps_ \in Positive_ :
    \E delta_ \in Positive_ :
      \A s \in Near_(r, delta_) : s # r => (f[s] - f[r]) / (s - r) \in Near_(d[r], eps_)

(* d is the n-th derivative of f. *)
LOCAL DerivesTimes_(n, d, f) ==
  LET is_[k \in 0 .. n, g \in [DOMAIN f -> Real]] ==
        IF k = 0 THEN g = f
        ELSE \E h_ \in [DOMAIN f -> Real] : Derives_(g, h_) /\ is_[k - 1, h_]
  IN  is_[n, d]

(* The values at b of the function and its first derivatives that solve D = 0 and start at a with InitVals. *)
Integrate(D, a, b, InitVals) ==
  LET n == Len(InitVals)
      solves_(g) ==
        \E eps_ \in Positive_ :
          LET I_ == Between_(a - eps_, b + eps_)
          IN  /\ g \in [0 .. n -> [I_ -> Real]]
              /\ \A k \in 1 .. n : DerivesTimes_(k, g[k], g[0]) /\ g[k - 1][a] = InitVals[k]
              /\ \A r \in I_ : D[<<r>> \o [k \in 1 .. n + 1 |-> g[k - 1][r]]] = 0
      solution_ == CHOOSE g : solves_(g)
  IN  [k \in 1 .. n |-> solution_[k - 1][b]]
=============================================================================
