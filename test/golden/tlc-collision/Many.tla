---- MODULE Many ----
(* So many states that two of them might have had one fingerprint: both estimates are printed. *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == \E i \in 1..9 : x' = (x + i * i) % 20000
====
