---------------------------- MODULE Combinatorics ---------------------------
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE factorial[n - 1] * n

(* In how many ways k of n things can be taken. *)
choose(n, k) == factorial[n] \div (factorial[n - k] * factorial[k])
=============================================================================
