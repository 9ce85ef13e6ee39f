# Operators of IOUtils. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there. TLC evaluates constants twice: what files hold then is written as for once.
%EXTENDS Integers, Sequences, IOUtils

atoi("42")
42

atoi("-17")
-17

atoi("0")
0

atoi("+5")
5

atoi("007")
7

atoi("")
%%FAIL The argument of atoi should be a string, but instead it is: ""

atoi("aa")
%%FAIL The argument of atoi should be a string, but instead it is: "aa"

atoi("4x")
%%FAIL The argument of atoi should be a string, but instead it is: "4x"

atoi(5)
%%FAIL The argument of atoi should be a string, but instead it is: 5

zeroPadN(42, 5)
"00042"

zeroPadN(123, 3)
"123"

zeroPadN(7, 1)
"7"

zeroPadN(0, 4)
"0000"

zeroPadN(1234, 2)
"1234"

IOExec(<<"echo", "hello">>)
[exitValue |-> 0, stdout |-> "hello\n", stderr |-> ""]

IOExec(<<"sh", "-c", "echo out; echo err >&2; exit 3">>)
[exitValue |-> 3, stdout |-> "out\n", stderr |-> "err\n"]

IOExec(<<"sh", "-c", "exit 0">>).exitValue
0

IOExecTemplate(<<"echo", "%s-%s">>, <<"a1", "b1">>).stdout
"a1-b1\n"

IOExecTemplate(<<"echo", "%2$s-%1$s">>, <<"a1", "b1">>).stdout
"b1-a1\n"

IOExecTemplate(<<"echo", "%s">>, <<>>)
%%FAIL

IOEnvExec([ASSAY_TEST |-> "v1"], <<"sh", "-c", "echo $ASSAY_TEST">>).stdout
"v1\n"

IOEnvExec([ASSAY_TEST |-> 42], <<"sh", "-c", "echo $ASSAY_TEST">>).stdout
"42\n"

IOEnvExecTemplate([ASSAY_TEST |-> "v2"], <<"sh", "-c", "echo $%s">>, <<"ASSAY_TEST">>).stdout
"v2\n"

IOExec(<<"no-such-program-here">>)
%%FAIL

IOExec(3)
%%FAIL The argument of IOExec should be a sequence, but instead it is: 3

IOExec(<<3>>)
%%FAIL The argument of IOExec should be a sequence, but instead it is: 3

IOEnvExec(3, <<"true">>)
%%FAIL The argument of IOEnvExec should be a record, but instead it is: 3

IOExecTemplate(3, <<>>)
%%FAIL The argument of IOExecTemplate should be a sequence, but instead it is: 3

"PATH" \in DOMAIN IOEnv
TRUE

IOSerialize(<<1, {2}, [aa |-> TRUE]>>, "build/eval-io-1.bin", TRUE)
TRUE

IODeserialize("build/eval-io-1.bin", TRUE)
<<1, {2}, [aa |-> TRUE]>>

IOSerialize([aa |-> -5, bb |-> "x y"], "build/eval-io-2.bin", FALSE)
TRUE

IODeserialize("build/eval-io-2.bin", FALSE)
[aa |-> -5, bb |-> "x y"]

IOSerialize(<<{"é", "z"}, {{}, {3}}, <<>>, [i \in 3..4 |-> 2^31 - i], 0..3, -1>>, "build/eval-io-4.bin", TRUE)
TRUE

IODeserialize("build/eval-io-4.bin", TRUE)
<<{"z", "é"}, {{}, {3}}, <<>>, (3 :> 2147483645 @@ 4 :> 2147483644), {0, 1, 2, 3}, -1>>

IOSerialize(<<2^40, "→">>, "build/eval-io-5.bin", TRUE)
TRUE

IODeserialize("build/eval-io-5.bin", FALSE)
<<1099511627776, "→">>

Serialize("text here", "build/eval-io-3.txt", [format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
[exitValue |-> 0, stdout |-> "Finish writing to the file with success!", stderr |-> ""]

Deserialize("build/eval-io-3.txt", [format |-> "TXT", charset |-> "UTF-8"])
[exitValue |-> 0, stdout |-> "text here", stderr |-> ""]

Serialize(" more", "build/eval-io-3.txt", [format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE", "APPEND">>]).exitValue
0

Deserialize("build/eval-io-3.txt", [format |-> "TXT", charset |-> "UTF-8"]).stdout
"text here more"

Deserialize("build/does-not-exist.txt", [format |-> "TXT", charset |-> "UTF-8"]).exitValue
1

Serialize(<<1, [aa |-> 2]>>, "build/eval-io-4.ndjson", [format |-> "NDJSON", charset |-> "UTF-8", openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
TRUE

# written by TLC, compressed
IODeserialize("test/corpus/eval/tlc-value.bin", TRUE)
<<1, {"z", "zz"}, {{}, {3}}, [b |-> <<>>, aa |-> TRUE], (3 :> "x" @@ 5 :> "y"), 3..7, -1, (0 :> 0 @@ 1 :> 1 @@ 2 :> 2), "x", [b |-> {1}, aa |-> FALSE]>>

IOExecTemplate(<<"echo", "[%-5s][%5s][%-1s]%%">>, <<"a1", "b1", "c1">>).stdout
"[a1   ][   b1][c1]%\n"

Serialize("x", "build/eval-io-6.txt", [charset |-> "UTF-8", openOptions |-> <<"WRITE", "CREATE">>])
%%FAIL

Deserialize("build/eval-io-3.txt", [charset |-> "UTF-8"])
%%FAIL

# As TLC writes letters beyond ASCII: a byte of Latin-1.
IOSerialize("zq", "build/eval-io-7.bin", FALSE)
TRUE

IOExec(<<"sh", "-c", "LC_ALL=C sed -i 's/zq/\\xe9q/' build/eval-io-7.bin">>).exitValue
0

IODeserialize("build/eval-io-7.bin", FALSE)
"éq"
