------------------------------ MODULE OnceDeep ------------------------------
(***************************************************************************)
(* Chains of definitions and of arguments that read primed variables, each *)
(* used twice: evaluated at every use they would take longer than anybody  *)
(* waits.                                                                  *)
(***************************************************************************)
EXTENDS Naturals, Sequences

VARIABLES x, y

Mod == 7
vars == <<x, y>>

Init == x = 0 /\ y = 0

Twice(a) == <<(a[1] + a[1]) % Mod, a[2]>>
Chain(a) == Twice(Twice(Twice(Twice(Twice(Twice(Twice(Twice(a))))))))

\* Arguments of operators.
Arguments ==
    /\ x' = (x + 1) % 5
    /\ y' = Chain(Chain(Chain(Chain(Chain(<<x', 1>>)))))[1]

\* Definitions.
Definitions ==
    /\ x' \in {x, (x + 2) % 5}
    /\ LET a == Chain(Chain(<<x' + y, 1>>))
           b == <<a[1] + a[1], a>>
           c == <<b[1] + b[1], b>>
           d == <<c[1] + c[1], c>>
           e == <<d[1] + d[1], d>>
           f == <<e[1] + e[1], e>>
           g == <<f[1] + f[1], f>>
           h == <<g[1] + g[1], g>>
           i == <<h[1] + h[1], h>>
           j == <<i[1] + i[1], i>>
           k == <<j[1] + j[1], j>>
           l == <<k[1] + k[1], k>>
           m == <<l[1] + l[1], l>>
           n == <<m[1] + m[1], m>>
           o == <<n[1] + n[1], n>>
           p == <<o[1] + o[1], o>>
           q == <<p[1] + p[1], p>>
           r == <<q[1] + q[1], q>>
           s == <<r[1] + r[1], r>>
       IN y' = s[1] % Mod

Next == Arguments \/ Definitions

Spec == Init /\ [][Next]_vars

\* 2^3 % 7 = 1: both chains, of 40 and of 34 doublings, are one doubling.
Same == [][y' \in {(x' * 2) % Mod, ((x' + y) * 2) % Mod}]_vars
Step == [][LET a == Chain(Chain(Chain(<<x' + y', 1>>)))[1] IN a < Mod]_vars
=============================================================================
