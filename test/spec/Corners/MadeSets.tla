---------------------------- MODULE MadeSets ----------------------------
(* TLC makes S \cap T and S \ T, for sets whose elements are listed, before anything is looked for in them: each element of S  *)
(* is compared with those of T. In the third state one of them is a tuple that cannot be compared with a function of `Nil`;    *)
(* before, it is of another length, which is enough.                                                                           *)
EXTENDS Naturals, TLC
CONSTANT Nil
VARIABLE n

Init == n = 0
Next == n' = (n + 1) % 4

Late == IF n = 2 THEN <<3>> ELSE <<3, n>>
Cap == <<>> \in ({<<>>, Late} \cap {Nil :> 0, <<>>})
Minus == <<>> \in ({<<>>, Late} \ {Nil :> 0, <<1, 2>>})
Chosen == \E x \in {<<>>} \cap ({Late, <<>>} \cap {Nil :> 0, <<>>}) : TRUE
Within == <<>> \in (({<<>>, Late} \cap {Nil :> 0, <<>>}) \cup {<<1>>})

\* The same, where what is looked for has no parts: a number meets a string.
Odd == IF n = 2 THEN n ELSE "b"
OddCap == "a" \in ({"a", Odd} \cap {"a", "c"})
OddMinus == "a" \in ({"a", Odd} \ {"c", "d"})
OddCup == "a" \in ({"a"} \cup {Odd})

Holds == /\ <<n>> \in ({<<0>>, <<1>>, <<2>>, <<3>>} \cap {<<n>>, <<4>>})
         /\ <<n>> \notin ({<<0>>, <<1>>, <<2>>, <<3>>} \ {<<n>>, <<4>>})
         /\ <<n>> \in ({<<n>>} \ {<<n + 1>>, <<n, n>>})
Fails == <<n>> \notin ({<<1>>, <<2>>, <<n, n>>} \ {<<1>>, <<3>>})
=========================================================================
