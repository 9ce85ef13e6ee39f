------------------------------ MODULE Variants ------------------------------
(* Tagged values, as functions with one argument, the tag. *)
UNIT == "U_OF_UNIT"

Variant(__tag, __value) == [__t \in {__tag} |-> __value]
VariantTag(__variant)   == CHOOSE __t \in DOMAIN __variant : TRUE

(* The values with that tag among those of a set. *)
VariantFilter(__tag, __set) ==
  LET __tagged == {__v \in __set : __tag \in DOMAIN __v}
  IN  {__v[__tag] : __v \in __tagged}

VariantGetUnsafe(__tag, __variant) == __variant[__tag]
VariantGetOrElse(__tag, __variant, __default) ==
  IF __tag \in DOMAIN __variant THEN __variant[__tag] ELSE __default
=============================================================================
