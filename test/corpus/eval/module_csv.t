# Operators of CSV. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there. TLC evaluates constants twice: what files hold then is written as for once.
%EXTENDS Integers, Sequences, CSV, IOUtils

IOExec(<<"rm", "-f", "build/eval-csv-1.csv", "build/eval-csv-2.csv">>).exitValue
0

CSVRecords("build/eval-csv-1.csv")
0

CSVWrite("%1$s#%2$s#%3$s", <<"abc", 42, {"x"}>>, "build/eval-csv-1.csv")
TRUE

CSVWrite("%s,%s", <<1, TRUE>>, "build/eval-csv-1.csv")
TRUE

CSVRecords("build/eval-csv-1.csv")
2

Deserialize("build/eval-csv-1.csv", [format |-> "TXT", charset |-> "UTF-8"]).stdout
"\"abc\"#42#{\"x\"}\n1,TRUE\n"

CSVWrite("%s", <<>>, "build/eval-csv-1.csv")
%%FAIL

CSVWrite("%s", 3, "build/eval-csv-1.csv")
%%FAIL The argument of CSVWrite should be a sequence, but instead it is: 3

CSVWriteRecord([aa |-> 1, bb |-> "x"], ";", TRUE, "build/eval-csv-2.csv")
TRUE

CSVWriteRecord([aa |-> 2, bb |-> "y"], ";", FALSE, "build/eval-csv-2.csv")
TRUE

CSVRead(<<"aa", "bb">>, ";", "build/eval-csv-2.csv")
<<[aa |-> "aa", bb |-> "bb"], [aa |-> "1", bb |-> "\"x\""], [aa |-> "2", bb |-> "\"y\""]>>

CSVRead(<<"aa">>, ";", "build/does-not-exist.csv")
<<>>

CSVRead(3, ";", "build/eval-csv-2.csv")
%%FAIL The argument of CSVRead should be a sequence, but instead it is: 3

CSVRecords("build/eval-csv-2.csv")
3
