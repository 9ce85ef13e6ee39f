"""Values of every kind, and what they are: the oracle is this program, which prints them itself.

Each line "PATH => VALUE" that it prints is read by test/run-lang through the memory of the process.
"""
import collections
import dataclasses
import enum
import sys
import threading


class Role(enum.Enum):
    FOLLOWER = 0
    LEADER = 1


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Entry:
    term: int
    op: str


class Slotted:
    __slots__ = ("first", "second", "never")

    def __init__(self):
        self.first, self.second = 17, "two"


class Base:
    shared = 5


class Node(Base):
    def __init__(self):
        self.__hidden = 42
        self.role = Role.LEADER
        self.level = Level.HIGH
        self.log = [Entry(1, "put"), Entry(2, "get")]
        self.table = {"a": 1, "b": {"c": [1, 2, (3, 4)]}, 7: "seven"}
        self.nobody = None
        self.parts = Slotted()


class Named(collections.namedtuple("Named", "x y")):
    pass


class Counts(dict):
    pass


class Chain:
    def __init__(self, n, next):
        self.n, self.next = n, next


class Grown:
    def __init__(self, n):
        for i in range(n):
            setattr(self, "m%d" % i, i)


node = Node()
whole, negative, big, huge, zero = 5, -3, 2**40 + 1, 2**100, 0
limit, lowest, unsigned = 2**63 - 1, -(2**63), 2**64 - 1
yes, no, half = True, False, 0.5
text, wide, wider, empty = "plain", "gr\u00fc\u00df", "\u6f22\U0001f600", ""
raw = b"bytes"
numbers = list(range(10))
members, frozen = {3, 1, 2}, frozenset(["x", "y"])
queue = collections.deque([1, 2, 3])
long_queue = collections.deque(range(200))
long_queue.popleft()
point = Named(3, 4)
counts = Counts(a=1)
ordered = collections.OrderedDict([("z", 1), ("y", 2)])
deleted = {i: i * i for i in range(8)}
for i in range(0, 8, 2):
    del deleted[i]
split = [Grown(3), Grown(3)]
del split[1].m1
many = Grown(60)
node.__dict__["added"] = "later"
chain = Chain(1, Chain(2, Chain(3, None)))
loop = Chain(1, None)
loop.next = Chain(2, loop)
cycle = [1]
cycle.append(cycle)
gone = {1, 2, 3, 4}
gone.discard(2)


def show(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, enum.Enum):
        return '"%s"' % value.name
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return "%.17g" % value
    if isinstance(value, (str, bytes)):
        return '"%s"' % (value if isinstance(value, str) else value.decode())
    if isinstance(value, (set, frozenset)):
        return "[" + ", ".join(show(v) for v in sorted(value)) + "]"
    if isinstance(value, dict):
        kinds = sorted(value, key=lambda k: (isinstance(k, str), k))
        return "map[" + ", ".join("%s: %s" % (show(k), show(value[k])) for k in kinds) + "]"
    if isinstance(value, (list, tuple, collections.deque)):
        return "[" + ", ".join(show(v) for v in value) + "]"
    return "{" + ", ".join("%s: %s" % (k, show(v)) for k, v in vars(value).items()) + "}"


def lines(local):
    captured = [local, 1]

    def inner():
        return captured
    for path in ["whole", "negative", "big", "zero", "limit", "lowest", "unsigned", "yes", "no", "half", "text", "wide", "wider", "empty", "raw",
                 "numbers", "members", "frozen", "queue", "long_queue", "point", "counts", "ordered", "deleted", "gone", "node.role",
                 "node.level", "node.log[0]", "node.log", "node.log[1].op", "node.table['b']['c']", "node.table[7]", "node.table",
                 "node.nobody", "node.parts.first", "node.parts.second", "node.shared", "node.added", "point.x", "point.y", "split[0]",
                 "split[1].m2", "many", "many.m59", "numbers[-1]", "numbers[2:4]", "counts['a']", "Base.shared", "chain.next.n"]:
        print(path.replace(":", "..").replace("numbers[2..4]", "numbers[2..4]"), "=>", show(eval(path)))
    print("node._Node__hidden => 42")
    print("<Node>._Node__hidden => 42")
    print("<Base>.role =>", show(node.role))
    print("<__main__.Slotted>.first => 17")
    print("node.log[*].term => [1, 2]")
    print("node.log[1..].op => [\"get\"]")
    print("chain@next.n => [1, 2, 3]")
    print("loop@next.n => [1, 2]")
    print("lines().local =>", show(local))
    print("lines().captured =>", show(captured))
    print("Worker.run().self.n => 3")
    print("run().mine => \"thread\"")
    print("collections.abc.__name__ =>", show(collections.abc.__name__))
    print("sys.maxsize =>", show(sys.maxsize))
    print("string.digits =>", show("0123456789"))
    for path, why in [("nothing", "__main__ has no variable"), ("node.nothing", "a Node has no attribute nothing"), ("numbers[10]", "[10] of 10"),
                      ("node.table['x']", "there is no key x"), ("node.parts.never", "it has no value"), ("<Chain>", "5 instances of Chain"),
                      ("<None>", "there is no instance"), ("nobody().x", "no function runs"), ("lines().nothing", "no local variable nothing"),
                      ("huge", "more than 64 bits"), ("node.table[0..1]", "a map has keys"), ("whole[0]", "it has no elements"),
                      ("lines()", "name a local variable"), ("numbers[3..20]", "of 10 elements"), ("whole@next", "no attribute next"),
                      ("cycle", "nested too deeply")]:
        print(path, "~>", why)
    import string
    print("ready", flush=True)
    sys.stdin.read()
    return inner


class Worker(threading.Thread):
    def run(self):
        self.n, mine = 3, "thread"
        waiting.acquire()
        return mine


waiting = threading.Lock()
waiting.acquire()
Worker(daemon=True).start()
lines("here")
