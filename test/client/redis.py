"""Conversations of `assay client` with something like Redis."""
import time

from stand_in import CLOSE, RESET, SILENCE, Redis, at_port, last, talk, then_reset

ONE = ["--over", "redis", "--workers", "1", "--rate", "0", "--keys", "2"]

for workload in "register cas kv set queue lock list-append rw-register bank".split():
    talk("all goes well", Redis(), [workload, *ONE, "--seed", "3", "--operations", "8", "--final", "1ms", "--accounts", "3"])

WRITE = ["register", *ONE, "--seed", "1", "--mix", "write=1"]
READ = ["register", *ONE, "--seed", "1", "--mix", "read=1"]
talk("a password", Redis(), [*WRITE, "--operations", "1", "--password", "se cret"])
talk("lost after the password", Redis(), [*WRITE, "--operations", "3", "--password", "x"], {1: CLOSE, 2: then_reset})
talk("a wrong password", Redis(), [*WRITE, "--operations", "1", "--password", "x", "--patience", "0.000000001s"], {0: b"-WRONGPASS no\r\n"})
talk("refused", Redis(), [*WRITE, "--operations", "3"], {0: b"-ERR no\r\n", 1: b"-OOM full\r\n"}, targets=2)
for word in "READONLY CLUSTERDOWN LOADING MASTERDOWN ASK NOREPLICAS TRYAGAIN MOVED".split():
    talk("another is in charge", Redis(), [*WRITE, "--operations", "2"], {0: b"-%s x\r\n" % word.encode()}, targets=2)
talk("the worker stays", Redis(), [*WRITE, "--operations", "2", "--stay"], {0: b"-READONLY x\r\n"}, targets=2)
talk("moved", Redis(), [*WRITE, "--operations", "2"], {0: at_port(b"-MOVED 5 127.0.0.1:%d\r\n")}, targets=2)
for to in (b"127.0.0.1:0", b"127.0.0.1:65536", b"127.0.0.1:7x", b"localhost:7", b"255.255.255.2555:7", b"7", b""):
    talk("moved nowhere", Redis(), [*WRITE, "--operations", "1"], {0: b"-MOVED 5 " + to + b"\r\n"}, targets=2)
talk("moved again and again", Redis(), [*WRITE, "--operations", "2"],
     {i: at_port(b"-MOVED 5 127.0.0.1:%d\r\n") for i in range(5)}, targets=2)
for fault in (CLOSE, RESET, last(3), b"\r\n", b"?5\r\n", b"x\r\n"):
    talk("a write is lost", Redis(), [*WRITE, "--operations", "2"], {0: fault}, targets=2)
    talk("a read is lost", Redis(), [*READ, "--operations", "2"], {0: fault}, targets=2)
talk("no answer", Redis(), [*WRITE, "--operations", "1", "--timeout", "1s"], {0: SILENCE})
talk("no answer to a read", Redis(), [*READ, "--operations", "1", "--timeout", "1s"], {0: SILENCE})
for text in (b"$3\r\nabc\r\n", b"$0\r\n\r\n", b"$2\r\n-7\r\n", b"$-1\r\n", b"*-1\r\n", b":12\r\n", b"+x\r\n", b"$70000000\r\n",
             b"$4\r\n\"\\\n\xc3\r\n", b"$19\r\n1234567890123456789\r\n", b"$18\r\n123456789012345678\r\n"):
    talk("what a read may return", Redis(), [*READ, "--operations", "1"], {0: text})

CAS = ["cas", *ONE, "--seed", "1", "--mix", "read=1,cas=2"]
talk("a value is expected that was read", Redis(), [*CAS, "--operations", "5"],
     {0: b"$2\r\n41\r\n", 1: b"$2\r\n42\r\n", 2: b":1\r\n"})
talk("no number was read", Redis(), [*CAS, "--operations", "3"], {i: b"$2\r\nx1\r\n" for i in range(3)})
SET = ["set", *ONE, "--seed", "1", "--mix", "read=1"]
for fault in (b"-ERR no\r\n", last(2), b"*2\r\n$1\r\n5\r\n$1\r\nx\r\n", b"*0\r\n", b"*1\r\n:5\r\n"):
    talk("members", Redis(), [*SET, "--operations", "1"], {0: fault})
QUEUE = ["queue", *ONE, "--seed", "1"]
talk("a dequeue is lost", Redis(), [*QUEUE, "--mix", "dequeue=1", "--operations", "3"], {0: CLOSE, 1: b"$1\r\n9\r\n", 2: b"-ERR x\r\n"})
talk("an enqueue is lost", Redis(), [*QUEUE, "--mix", "enqueue=1", "--operations", "2"], {0: CLOSE})
talk("the queue is read to its end", Redis(), [*QUEUE, "--mix", "enqueue=1", "--operations", "3", "--final", "1ms"], {3: b"-ERR once\r\n"})
talk("last reads are tried again", Redis(), [*READ, "--operations", "1", "--final", "1ms"], {i: b"-ERR %d\r\n" % i for i in range(1, 9)})
talk("last reads are given up", Redis(), [*READ, "--operations", "1", "--final", "1ms"], {i: b"-ERR %d\r\n" % i for i in range(1, 11)})
LISTS = ["list-append", *ONE, "--seed", "2", "--operations", "2"]
for at, fault in ((0, b"-ERR a\r\n"), (1, b"-ERR b\r\n"), (1, CLOSE)):
    talk("lists: a step goes wrong", Redis(), LISTS, {at: fault}, targets=2)
talk("lists: several are refused, the first is told", Redis(), LISTS, {0: b"-ERR a\r\n", 1: b"-READONLY b\r\n", 2: b"-ERR c\r\n", 3: b"-EXECABORT d\r\n"}, targets=2)
for at in (2, 3, 4, 5):
    for fault in (b"-ERR c\r\n", b"*-1\r\n", last(1), last(9)):
        talk("lists: the end goes wrong", Redis(), LISTS, {at: fault}, targets=2)
TXN = ["rw-register", *ONE, "--seed", "2", "--operations", "2"]
for at in range(7):
    talk("a transaction: a step is refused", Redis(), TXN, {at: b"-ERR no\r\n"}, targets=2)
    talk("a transaction: a step is lost", Redis(), TXN, {at: CLOSE}, targets=2)
    talk("a transaction: nothing", Redis(), TXN, {at: b"*-1\r\n"}, targets=2)
LOCK = ["lock", *ONE, "--seed", "2"]
talk("somebody else holds the lock", Redis(), [*LOCK, "--operations", "3"], {1: b"$3\r\n999\r\n"})
talk("the lock was taken away", Redis(), [*LOCK, "--operations", "3"], {6: b"$3\r\n999\r\n"})
talk("it is mine already", Redis(), [*LOCK, "--operations", "2", "--number", "7"], {1: b"$4\r\n7001\r\n"})
talk("nobody knows who holds it", Redis(), [*LOCK, "--operations", "3"], {4: CLOSE})
talk("another is faster", Redis(), [*LOCK, "--operations", "2"], {4: b"*-1\r\n"})
talk("others are faster", Redis(), [*LOCK, "--operations", "2"], {4: b"*-1\r\n", 9: b"*-1\r\n", 14: b"*-1\r\n"})
BANK = ["bank", *ONE, "--seed", "2", "--accounts", "2", "--patience", "60s"]
talk("not enough money", Redis(), [*BANK, "--operations", "4", "--mix", "transfer=1"], {11: b"$1\r\n0\r\n"})
talk("no account", Redis(), [*BANK, "--operations", "2", "--mix", "transfer=1"], {11: b"$-1\r\n"})
talk("a transfer is refused", Redis(), [*BANK, "--operations", "2", "--mix", "transfer=1"], {12: b"-ERR x\r\n"})
talk("a sum is refused", Redis(), [*BANK, "--operations", "2", "--mix", "read=1"], {12: b"-ERR x\r\n", 13: b"-ERR y\r\n"})
talk("the bank is there already", Redis(), [*BANK, "--operations", "1"], {1: b"$1\r\n3\r\n", 5: b"$1\r\n4\r\n"})
talk("the bank at the second attempt", Redis(), [*BANK, "--operations", "1"], {1: b"-LOADING\r\n", 3: CLOSE, 9: b"*-1\r\n"}, targets=2)
talk("the bank never opens", Redis(), [*BANK[:-1], "0.000000001s", "--operations", "1"], {0: b"-NOAUTH no\r\n"})
talk("others open it all the time", Redis(), [*BANK[:-1], "0.000000001s", "--operations", "1"], {4: b"*-1\r\n"})

talk("several workers", Redis(), ["register", "--over", "redis", "--seed", "1", "--workers", "3", "--rate", "0", "--operations", "7",
                                  "--mix", "write=1"], order=True)
talk("not more than that time", Redis(), [*WRITE, "--operations", "0", "--time", "0.000000001s", "--quiet"])
talk("a rate", Redis(), ["register", "--over", "redis", "--workers", "1", "--rate", "1000", "--operations", "2", "--seed", "1"])
begin = time.monotonic()
talk("a low rate", Redis(), ["register", "--over", "redis", "--workers", "1", "--rate", "10", "--operations", "4", "--seed", "1"])
print("that takes its time:", time.monotonic() - begin > 0.15)
talk("what is left out", Redis(), [*WRITE, "--operations", "5", "--skip", "0.1-2,0.4,1.0"])
