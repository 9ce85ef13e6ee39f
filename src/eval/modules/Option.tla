------------------------------- MODULE Option -------------------------------
(* A value or nothing. *)
EXTENDS Apalache, Variants

Some(__value) == Variant("Some", __value)
None          == Variant("None", UNIT)
IsSome(__o)   == VariantTag(__o) = "Some"
IsNone(__o)   == VariantTag(__o) = "None"

OptionCase(__o, __some(_), __none(_)) ==
  IF IsSome(__o) THEN __some(VariantGetUnsafe("Some", __o)) ELSE __none(UNIT)
OptionMap(__f(_), __o)          == OptionCase(__o, LAMBDA __x : Some(__f(__x)), LAMBDA __u : None)
OptionFlatMap(__f(_), __o)      == OptionCase(__o, __f, LAMBDA __u : None)
OptionGetOrElse(__o, __default) == OptionCase(__o, LAMBDA __x : __x, LAMBDA __u : __default)
OptionToSeq(__o)                == OptionCase(__o, LAMBDA __x : <<__x>>, LAMBDA __u : << >>)
OptionToSet(__o)                == OptionCase(__o, LAMBDA __x : {__x}, LAMBDA __u : {})
OptionGuess(__set)              == IF __set = {} THEN None ELSE Some(Guess(__set))
OptionFunApp(__f, __o)          == OptionMap(LAMBDA __x : __f[__x], __o)
OptionPartialFun(__f, __undefined) ==
  [__x \in DOMAIN __f \cup __undefined |-> IF __x \in __undefined THEN None ELSE Some(__f[__x])]
=============================================================================
