--------------------------------- MODULE Json -------------------------------
(* JSON: records and functions become objects, tuples and sets become arrays, strings and model values strings. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(IsSequence, F, D, ToJsonKeyValue, d, ToJsonObjectString, ToJsonArrayString, ToJsonString, value,
                absoluteFilename, val) ==
  <<IsSequence, F, D, ToJsonKeyValue, d, ToJsonObjectString, ToJsonArrayString, ToJsonString, value,
    absoluteFilename, val>>

LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

ToJson(value)       == CHOOSE text_ \in STRING : value = value
ToJsonArray(value)  == CHOOSE text_ \in STRING : value = value
ToJsonObject(value) == CHOOSE text_ \in STRING : value = value

(* Whole files: one value, or one value on each line. *)
JsonSerialize(absoluteFilename, value)   == absoluteFilename \in STRING /\ value = value
JsonDeserialize(absoluteFilename)        == CHOOSE value : absoluteFilename \in STRING
ndJsonSerialize(absoluteFilename, value) == absoluteFilename \in STRING /\ value = value
ndJsonDeserialize(absoluteFilename)      == CHOOSE value : absoluteFilename \in STRING
=============================================================================
