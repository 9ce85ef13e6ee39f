------------------------------ MODULE _Possible ------------------------------
(* Counts how often predicates hold, in a register of each worker. The statement
   _POSSIBLE of a configuration does the same without this module. *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

LOCAL Key == "s:_possible"

LOCAL Plus(counts, name, n) ==
  IF name \in DOMAIN counts THEN [counts EXCEPT ![name] = @ + n] ELSE counts @@ (name :> n)

(* TRUE; one more for the name when the expression holds. *)
_Track(expr, name) ==
  TLCSet(Key, Plus(TLCGetOrDefault(Key, <<>>), name, IF expr THEN 1 ELSE 0))

(* The counts of all workers together. *)
_Counts ==
  LET rows == TLCGet("all:named")[Key]
      names == UNION {DOMAIN rows[w] : w \in DOMAIN rows}
      Sum[w \in 0..Len(rows)] ==
        IF w = 0 THEN [name \in names |-> 0]
        ELSE [name \in names |-> Sum[w - 1][name] + (IF name \in DOMAIN rows[w] THEN rows[w][name] ELSE 0)]
  IN Sum[Len(rows)]

(* FALSE, with the counts printed, when the predicate of that name never held. *)
_CheckName(name) ==
  LET counts == _Counts
  IN IF name \in DOMAIN counts /\ counts[name] > 0 THEN TRUE ELSE PrintT(counts) /\ FALSE

_PrintCounts == PrintT(_Counts)
==============================================================================
