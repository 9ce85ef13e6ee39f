--------------------------------- MODULE Json -------------------------------
(* JSON: records and functions become objects, tuples and sets become arrays, strings and model values strings. *)

LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

ToJson(value)       == CHOOSE text \in STRING : value = value
ToJsonArray(value)  == CHOOSE text \in STRING : value = value
ToJsonObject(value) == CHOOSE text \in STRING : value = value

(* Whole files: one value, or one value on each line. *)
JsonSerialize(absoluteFilename, value)   == absoluteFilename \in STRING /\ value = value
JsonDeserialize(absoluteFilename)        == CHOOSE value : absoluteFilename \in STRING
ndJsonSerialize(absoluteFilename, value) == absoluteFilename \in STRING /\ value = value
ndJsonDeserialize(absoluteFilename)      == CHOOSE value : absoluteFilename \in STRING
=============================================================================
