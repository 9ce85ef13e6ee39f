--------------------------------- MODULE Json -------------------------------
(* JSON: records and functions become objects, tuples and sets become arrays, strings and model values strings. *)

LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

ToJson(value)       == CHOOSE text \in STRING : value = value
ToJsonArray(value)  == CHOOSE text \in STRING : value = value
ToJsonObject(value) == CHOOSE text \in STRING : value = value

(* Whole files: one value, or one value on each line. *)
JsonSerialize(absoluteFilename, value)   == TRUE
JsonDeserialize(absoluteFilename)        == CHOOSE value : value = value
ndJsonSerialize(absoluteFilename, value) == TRUE
ndJsonDeserialize(absoluteFilename)      == CHOOSE value : value = value
=============================================================================
