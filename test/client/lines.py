"""Conversations of `assay client` with a server of lines that the user describes."""
from stand_in import CLOSE, Lines, last, talk

ONE = ["--over", "line", "--workers", "1", "--rate", "0", "--keys", "2"]


def texts(option, *words):
    return [part for word in words for part in (option, word)]


REPLIES = texts("--reply", "*", "ok", "= {value}", "*", "ok", "none", "*", "ok", "done", "*", "fail", "differs", "*", "next", "next*",
                "*", "info", "who*", "read", "fail", "never")
SEND = {"read": "get {key}", "write": "set {key} {value}", "cas": "swap {key} {old} {new}", "delete": "del {key}", "add": "push {key} {value}",
        "enqueue": "push {key} {value}", "dequeue": "pop {key}", "acquire": "lock {key} {worker}", "release": "unlock {key} {worker}",
        "append": "push {key} {value}", "begin": "begin", "commit": "commit", "rollback": "rollback",
        "transfer": "move {from} {to} {value} {x} {"}


def send(*names):
    return texts("--send", *(part for name in names for part in (name, SEND[name])))


MANY = ["--seed", "3", "--operations", "8", "--final", "1ms"]
OWN = {"register": ("read", "write"), "cas": ("read", "write", "cas"), "kv": ("read", "write", "cas", "delete"), "set": ("read", "add"),
       "queue": ("enqueue", "dequeue"), "lock": ("acquire", "release"), "list-append": ("read", "append"), "rw-register": ("read", "write"),
       "bank": ("read", "write", "begin", "commit", "transfer")}
for workload, names in OWN.items():
    talk("texts for every operation", Lines(), [workload, *ONE, *MANY, "--txn", "1", *send(*names), *REPLIES])
    talk("transactions", Lines(), [workload, *ONE, *MANY, *send("read", "write", "append", "delete", "begin", "commit", "rollback"), *REPLIES])
    talk("transactions without a way back", Lines(), [workload, *ONE, *MANY, *send("read", "write", "delete", "begin", "commit"), *REPLIES])
    for missing in (*names, "begin"):
        rest = [name for name in names if name != missing]
        talk("a text is missing", Lines(), [workload, *ONE, *MANY, *send(*rest), *REPLIES])

BASIC = send("read", "write")
WRITE = ["register", *ONE, "--seed", "1", "--mix", "write=1", "--operations", "2", *BASIC]
READ = ["register", *ONE, "--seed", "1", "--mix", "read=1", "--operations", "2", *BASIC]
for text in (b"done\n", b"differs\r\n", b"next please\n", b"who knows\n", b"strange\n", b"\n", b" done \n", b"never\n", CLOSE, last(2)):
    talk("a write", Lines(), [*WRITE, *REPLIES], {0: text}, targets=2)
    talk("a read", Lines(), [*READ, *REPLIES], {0: text}, targets=2)
for pattern, text in (("= {value}", "= 5"), ("= {value};*", "= 5;6;7"), ("*{value}", "ab"), ("{value}*", "ab"), ("a*b*c", "aXbYc"), ("a*b*c", "aXbY"),
                      ("{value}", ""), ("{value}-{value}", "1-2"), ("{valu}", "{valu}"), ("x", "xx"), ("xx", "x"), ("*", ""), ("", "x")):
    talk("a pattern", Lines(), [*READ, *texts("--reply", "read", "ok", pattern)], {0: text.encode() + b"\n"}, targets=2)
talk("a pair lacks its text", Lines(), [*WRITE, "--send", "cas", *REPLIES])
talk("a three lacks its pattern", Lines(), [*WRITE, *REPLIES, *texts("--reply", "read", "ok")])
talk("an outcome that is none", Lines(), [*WRITE, *REPLIES, *texts("--reply", "read", "okay", "x")])
TXN = ["rw-register", *ONE, "--seed", "2", "--operations", "2", *send("read", "write", "begin", "commit")]
for at in range(6):
    for text in (b"differs\n", b"next\n", b"who\n", CLOSE):
        talk("a transaction goes wrong", Lines(), [*TXN, *send("rollback"), *REPLIES], {at: text}, targets=2)
        talk("a transaction goes wrong, no way back", Lines(), [*TXN, *REPLIES], {at: text}, targets=2)
talk("no way back", Lines(), [*TXN, *send("rollback"), *REPLIES], {1: b"differs\n", 2: b"who\n"}, targets=2)
ONCE = ["--seed", "4", "--operations", "4", "--txn", "1"]
for workload in ("list-append", "rw-register"):
    for text in (b"differs\n", b"none\n", b"= 1,2\n", b"who\n", CLOSE):
        talk("one step", Lines(), [workload, *ONE, *ONCE, *send(*OWN[workload]), *REPLIES], {0: text, 1: text}, targets=2)
