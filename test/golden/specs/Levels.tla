---- MODULE Levels ----
(* What decides about the value decides about the level: an assumption may print a variable. *)
EXTENDS TLC, TLCExt, Json, IOUtils, CSV, Naturals
VARIABLE x
ASSUME PrintT(x)
ASSUME Print(x, TRUE)
ASSUME TLCSet(1, x) /\ TLCGet(x) = 1
ASSUME TLCDefer(x)
ASSUME TLCFP(x) = 1
ASSUME TLCGetAndSet(1, +, x, x) = TLCGetOrDefault(x, x)
ASSUME AssertError("", x)
ASSUME TLCCache(1, <<x>>) = TLCEvalDefinition(x)
ASSUME JsonSerialize(x, x) /\ ndJsonSerialize(x, x) /\ JsonDeserialize(x) = 1
ASSUME CSVWrite(x, x, x) /\ CSVRecords(x) = 1
ASSUME Serialize(x, x, x) = IOExec(x)
\* From here on each is wrong.
ASSUME Print(1, x)
ASSUME Assert(x, "")
ASSUME AssertError(x, 1)
ASSUME TLCCache(x, 1)
ASSUME PickSuccessor(x)
ASSUME ToString(x) = ToJson(x)
====
