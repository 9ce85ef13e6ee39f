------------------------------- MODULE IOUtils ------------------------------
(* Files, processes and the environment. *)

LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

LOCAL Outcome == [exitValue : Int, stdout : STRING, stderr : STRING]

(* A value to a file and back. *)
IOSerialize(val, absoluteFilename, compress) ==
  <<val, absoluteFilename, compress>> = <<val, absoluteFilename, compress>>
IODeserialize(absoluteFilename, compressed) ==
  CHOOSE val : <<absoluteFilename, compressed>> = <<absoluteFilename, compressed>>

(* The same with a choice of format: [format |-> "TXT" | "NDJSON", charset |-> "UTF-8", openOptions |-> <<"WRITE", ...>>]. *)
Serialize(value, dest, options) ==
  CHOOSE r \in Outcome : <<value, dest, options>> = <<value, dest, options>>
Deserialize(src, options) == CHOOSE val : <<src, options>> = <<src, options>>

(* Runs a program with arguments and waits for it. *)
IOExec(command)         == CHOOSE r \in Outcome : command = command
IOEnvExec(env, command) == CHOOSE r \in Outcome : <<env, command>> = <<env, command>>
IOExecTemplate(commandTemplate, parameters) ==
  CHOOSE r \in Outcome : <<commandTemplate, parameters>> = <<commandTemplate, parameters>>
IOEnvExecTemplate(env, commandTemplate, parameters) ==
  CHOOSE r \in Outcome : <<env, commandTemplate, parameters>> = <<env, commandTemplate, parameters>>

(* The environment as a record. *)
IOEnv == CHOOSE r \in [STRING -> STRING] : TRUE

(* The number that a string spells; a number spelled with at least `width` digits. *)
atoi(str) == CHOOSE i \in Int : ToString(i) = str
zeroPadN(n, width) ==
  LET digits == ToString(n)
  IN  FoldLeft(LAMBDA text, i : "0" \o text, digits, [i \in 1 .. width - Len(digits) |-> i])
=============================================================================
