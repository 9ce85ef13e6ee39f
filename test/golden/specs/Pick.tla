---- MODULE Pick ----
EXTENDS TLCExt, TLC, Naturals
VARIABLE x
Foo == x + 10
Bar(a) == a
Init == x = 0
Next == x' = (x + 1) % 3 /\ PickSuccessor(FALSE)
N2 == x' = (x + 1) % 3
Inv == PrintT(TLCEvalDefinition("Foo"))
Inv2 == PrintT(TLCEvalDefinition("Bar"))
Inv3 == PrintT(TLCEvalDefinition("Nope"))
Inv4 == PrintT(TLCEvalDefinition(3))
Inv5 == PrintT(TLCEvalDefinition(IF x > 0 THEN "Foo" ELSE "x"))
AC == PickSuccessor(x' # 1)
Cch == PrintT(TLCCache(Print("eval", 3), 1)) /\ PrintT(TLCCache(Print("evals", x), 1)) /\ PrintT(TLCCache(Print("evals", x), 1))
====
