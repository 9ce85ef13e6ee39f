------------------------------- MODULE IOUtils ------------------------------
(* Files, processes and the environment. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(val, absoluteFilename, compress, compressed, value, dest, options, r, exitValue, stdout, stderr, src,
                command, env, commandTemplate, parameters, str, i, n, width, s, padLen, zeros, acc, z) ==
  <<val, absoluteFilename, compress, compressed, value, dest, options, r, exitValue, stdout, stderr, src, command,
    env, commandTemplate, parameters, str, i, n, width, s, padLen, zeros, acc, z>>

LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

LOCAL Outcome_ == [exitValue : Int, stdout : STRING, stderr : STRING]

(* A value to a file and back. *)
IOSerialize(val, absoluteFilename, compress) ==
  <<val, absoluteFilename, compress>> = <<val, absoluteFilename, compress>>
IODeserialize(absoluteFilename, compressed) ==
  CHOOSE val : <<absoluteFilename, compressed>> = <<absoluteFilename, compressed>>

(* The same with a choice of format: [format |-> "TXT" | "NDJSON", charset |-> "UTF-8", openOptions |-> <<"WRITE", ...>>]. *)
Serialize(value, dest, options) ==
  CHOOSE r \in Outcome_ : <<value, dest, options>> = <<value, dest, options>>
Deserialize(src, options) == CHOOSE val : <<src, options>> = <<src, options>>

(* Runs a program with arguments and waits for it. *)
IOExec(command)         == CHOOSE r \in Outcome_ : command = command
IOEnvExec(env, command) == CHOOSE r \in Outcome_ : <<env, command>> = <<env, command>>
IOExecTemplate(commandTemplate, parameters) ==
  CHOOSE r \in Outcome_ : <<commandTemplate, parameters>> = <<commandTemplate, parameters>>
IOEnvExecTemplate(env, commandTemplate, parameters) ==
  CHOOSE r \in Outcome_ : <<env, commandTemplate, parameters>> = <<env, commandTemplate, parameters>>

(* The environment as a record. *)
IOEnv == CHOOSE r \in [STRING -> STRING] : TRUE

(* The number that a string spells; a number spelled with at least `width` digits. *)
atoi(str) == CHOOSE i \in Int : ToString(i) = str
zeroPadN(n, width) ==
  LET digits_ == ToString(n)
  IN  FoldLeft(LAMBDA text_, i : "0" \o text_, digits_, [i \in 1 .. width - Len(digits_) |-> i])
=============================================================================
