------------------------------- MODULE IOUtils ------------------------------
(* Files, processes and the environment. *)

LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

LOCAL Outcome == [exitValue : Int, stdout : STRING, stderr : STRING]

(* A value to a file and back. *)
IOSerialize(val, absoluteFilename, compress) == TRUE
IODeserialize(absoluteFilename, compressed)  == CHOOSE val : val = val

(* The same with a choice of format: [format |-> "TXT" | "NDJSON", charset |-> "UTF-8", openOptions |-> <<"WRITE", ...>>]. *)
Serialize(value, dest, options) == CHOOSE r \in Outcome : TRUE
Deserialize(src, options)       == CHOOSE val : val = val

(* Runs a program with arguments and waits for it. *)
IOExec(command)         == CHOOSE r \in Outcome : TRUE
IOEnvExec(env, command) == CHOOSE r \in Outcome : TRUE
IOExecTemplate(commandTemplate, parameters) ==
  CHOOSE r \in Outcome : TRUE
IOEnvExecTemplate(env, commandTemplate, parameters) ==
  CHOOSE r \in Outcome : TRUE

(* The environment as a record. *)
IOEnv == CHOOSE r \in [STRING -> STRING] : TRUE

(* The number that a string spells; a number spelled with at least `width` digits. *)
atoi(str) == CHOOSE i \in Int : ToString(i) = str
zeroPadN(n, width) ==
  LET digits == ToString(n)
  IN  FoldLeft(LAMBDA text, i : "0" \o text, digits, [i \in 1 .. width - Len(digits) |-> i])
=============================================================================
