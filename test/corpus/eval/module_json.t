# Operators of Json. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences, Json, TLC

ToJson(1)
"1"

ToJson(-7)
"-7"

ToJson("aa")
"\"aa\""

ToJson(TRUE)
"true"

ToJson(<<>>)
"[]"

ToJson(<<1, "aa", FALSE>>)
"[1,\"aa\",false]"

ToJson({})
"[]"

ToJson({2, 1})
"[1,2]"

ToJson(1 .. 3)
"[1,2,3]"

ToJson([aa |-> 1, bb |-> <<2>>])
"{\"aa\":1,\"bb\":[2]}"

ToJson(5 :> 1 @@ 7 :> 2)
"{\"5\":1,\"7\":2}"

ToJson(1 :> "aa" @@ 2 :> "bb")
"[\"aa\",\"bb\"]"

ToJson(<<1, 2>> :> 3)
"{\"<<1, 2>>\":3}"

ToJson({1} :> 3)
"{\"{1}\":3}"

ToJson([x \in 1 .. 2 |-> x])
"[1,2]"

ToJson([x \in {7} |-> {}])
"{\"7\":[]}"

ToJson("a\"b\\c")
"\"a\\\"b\\\\c\""

ToJson("a<b>&='c")
"\"a<b>&='c\""

ToJson("a\tb\nc")
"\"a\\tb\\nc\""

ToJson(<<<<1>>, [aa |-> {}]>>)
"[[1],{\"aa\":[]}]"

ToJson(SUBSET {1})
"[[],[1]]"

ToJson(Nat)
%%FAIL

ToJsonArray(<<1, 2>>)
"[1,2]"

ToJsonArray({2, 1})
"[1,2]"

ToJsonArray(1 .. 2)
"[1,2]"

ToJsonArray(5 :> 1)
"{\"5\":1}"

ToJsonArray([aa |-> 1])
%%FAIL

ToJsonArray(3)
%%FAIL

ToJsonArray("aa")
%%FAIL

ToJsonObject([aa |-> 1])
"{\"aa\":1}"

ToJsonObject(<<7, 8>>)
"{\"0\":7,\"1\":8}"

ToJsonObject(<<>>)
"{}"

ToJsonObject(5 :> 1)
"{\"5\":1}"

ToJsonObject({1})
%%FAIL

ToJsonObject(3)
%%FAIL

JsonSerialize("build/eval-json-1.json", <<1, [aa |-> {2}]>>)
TRUE

JsonDeserialize("build/eval-json-1.json")
<<1, [aa |-> <<2>>]>>

JsonSerialize("build/eval-json-2.json", [aa |-> "x", bb |-> <<TRUE>>])
TRUE

JsonDeserialize("build/eval-json-2.json")
[aa |-> "x", bb |-> <<TRUE>>]

JsonSerialize("build/eval-json-3.json", 3)
%%FAIL The second argument of JsonSerialize should be a sequence or record, but instead it is: 3

ndJsonSerialize("build/eval-json-4.json", <<[aa |-> 1], <<2>>>>)
TRUE

ndJsonDeserialize("build/eval-json-4.json")
<<[aa |-> 1], <<2>>>>

ndJsonSerialize("build/eval-json-5.json", 3)
%%FAIL The second argument of ndJsonSerialize should be a sequence, but instead it is: 3

JsonDeserialize("build/does-not-exist.json")
%%FAIL

# Files that were not written by Json: escapes, numbers, blanks; and mistakes in them.
%EXTENDS Integers, Sequences, Json, IOUtils, TLC

IOExec(<<"sh", "-c", "printf '[\"\\\\u0041\\\\u00e9\\\\n\\\\\\\\\", \"\\\\/\\\\b\\\\t\", -12, true]' >build/eval-json-5.json">>).exitValue
0

JsonDeserialize("build/eval-json-5.json")[1] = "Aé\n\\"
TRUE

IOExec(<<"sh", "-c", "printf '[\"\\\\u00G1\"]' >build/eval-json-6.json">>).exitValue
0

JsonDeserialize("build/eval-json-6.json")
%%FAIL bad \u escape in a string

IOExec(<<"sh", "-c", "printf '[1e2, 1.5e1, -0, -70E+1, 120e-1, 12345678901234567890123]' >build/eval-json-7.json">>).exitValue
0

JsonDeserialize("build/eval-json-7.json")
<<100, 15, 0, -700, 12, 12345678901234567890123>>

IOExec(<<"sh", "-c", "printf '[\"\\\\ud83d\\\\ude00\\\\u20ac\\\\f\\\\r\\\\\"\"]' >build/eval-json-8.json">>).exitValue
0

JsonDeserialize("build/eval-json-8.json")
<<"😀€\f\r\"">>

IOExec(<<"sh", "-c", "printf '[1e20000]' >build/eval-json-9.json; printf '[-]' >build/eval-json-10.json; printf '[1' >build/eval-json-11.json">>).exitValue
0

JsonDeserialize("build/eval-json-9.json")
%%FAIL a number is too large

JsonDeserialize("build/eval-json-10.json")
%%FAIL unexpected text where a value should stand

JsonDeserialize("build/eval-json-11.json")
%%FAIL

ToJson("a\"b\\c\n\t\f\r/")
"\"a\\\"b\\\\c\\n\\t\\f\\r/\""

ToJson([i \in 0..2 |-> {<<>>, <<i>>}])
"{\"0\":[[],[0]],\"1\":[[],[1]],\"2\":[[],[2]]}"
