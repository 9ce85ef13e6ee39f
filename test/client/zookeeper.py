"""Conversations of `assay client` with something like ZooKeeper."""
import struct

from stand_in import CLOSE, ZooKeeper, jute_text, last, talk

ONE = ["--over", "zookeeper", "--workers", "1", "--rate", "0", "--keys", "2"]


def error(code, xid=None, rest=b""):
    """A reply with an error, to the request that was asked or to another one."""
    def fault(server, conn, request):
        return jute_text((request[:4] if xid is None else struct.pack(">i", xid)) + struct.pack(">qi", 5, code) + rest)
    return fault


def after(xid):
    """Something that was not asked for comes first."""
    return lambda server, conn, request: error(0, xid)(server, conn, request) + server.protocol.answer(conn, request)


for workload in "register cas kv set queue lock list-append rw-register bank".split():
    talk("all goes well", ZooKeeper(), [workload, *ONE, "--seed", "3", "--operations", "8", "--final", "1ms", "--accounts", "3"])

WRITE = ["register", *ONE, "--seed", "1", "--mix", "write=1", "--operations", "2"]
READ = ["register", *ONE, "--seed", "1", "--mix", "read=1", "--operations", "2"]
CAS = ["cas", *ONE, "--seed", "1", "--mix", "cas=1", "--operations", "2"]
talk("local reads", ZooKeeper(), [*READ, "--read", "local"])
talk("reads of another kind", ZooKeeper(), [*READ, "--read", "serializable"])
for fault in (CLOSE, last(3), struct.pack(">i", -1)):
    for at in (0, 1, 2):
        talk("a write goes wrong", ZooKeeper(), WRITE, {at: fault}, targets=2)
        talk("a read goes wrong", ZooKeeper(), READ, {at: fault}, targets=2)
for code in (-99, -100, -101, -110, -112, -113):
    talk("a write is refused", ZooKeeper(), WRITE, {1: error(code)}, targets=2)
    talk("a creation is refused", ZooKeeper(), WRITE, {2: error(code)}, targets=2)
    talk("a sync is refused", ZooKeeper(), READ, {1: error(code)}, targets=2)
    talk("a read is refused", ZooKeeper(), READ, {2: error(code)}, targets=2)
talk("it comes and goes", ZooKeeper(), WRITE, {1: error(-101), 2: error(-110), 3: error(-101), 4: error(-110)}, targets=2)
talk("something else first", ZooKeeper(), WRITE, {1: after(-1), 3: after(-2)})
STAT = bytes(32) + struct.pack(">i", 7) + bytes(32)
for rest in (b"", jute_text(b"12"), jute_text(b"12") + STAT, jute_text(b"") + STAT, struct.pack(">i", 3) + b"12", struct.pack(">i", -1) + STAT,
             jute_text(b"12") + STAT[:-1], jute_text(b"1") + STAT, struct.pack(">i", 73) + b"1" + STAT):
    talk("what a read may return", ZooKeeper(), READ, {2: error(0, rest=rest)})
    talk("what is compared with it", ZooKeeper(), CAS, {1: error(0, rest=rest)})
TXN = ["rw-register", *ONE, "--seed", "2", "--operations", "2"]
for at in range(1, 5):
    for code in (-4, -103, -110, -102):
        talk("a transaction: a step is refused", ZooKeeper(), TXN, {at: error(code)}, targets=2)
    talk("a transaction: a step is lost", ZooKeeper(), TXN, {at: CLOSE}, targets=2)
END = struct.pack(">ibi", -1, 0, -103)
talk("a transaction: told in its result", ZooKeeper(), TXN, {3: error(0, rest=END)}, targets=2)
LOCK = ["lock", *ONE, "--seed", "2"]
talk("others are faster", ZooKeeper(), [*LOCK, "--operations", "2"], {2: error(-110), 4: error(-103), 6: error(-110)})
