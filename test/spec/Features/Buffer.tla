----------------------------- MODULE Buffer -----------------------------
(* A bounded buffer with parameters of every kind; Use instantiates it twice. *)
EXTENDS Naturals, Sequences
CONSTANTS Elem, Size, Weight(_)
VARIABLE items
RECURSIVE Total(_)
Total(s) == IF s = <<>> THEN 0 ELSE Weight(Head(s)) + Total(Tail(s))
BufInit == items = <<>>
Put(e) == Total(items) + Weight(e) <= Size /\ items' = Append(items, e)
Get == items # <<>> /\ items' = Tail(items)
Fits == Total(items) <= Size
LOCAL Hidden == 1
=============================================================================
