------------------------------- MODULE Permute -------------------------------
(* Sets for SYMMETRY whose functions are no permutations: a state would     *)
(* stand for others that behave differently.                                 *)
EXTENDS TLC
CONSTANTS a, b, c
VARIABLE x
Init == x = a
Next == x' \in {a, b, c}
Out == {a :> b}
OutOfTwo == {a :> b @@ b :> c}
Second == {a :> b @@ b :> a, c :> c @@ a :> 1}
Same == {a :> c @@ b :> c @@ c :> a}
=============================================================================
