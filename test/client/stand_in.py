"""Servers for tests of `assay client`: small ones that keep everything in memory, take requests apart strictly, and at given
requests say something else than they should, or nothing. What they received, and what they said that they should not, is printed
byte by byte, then the history."""
import base64
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import threading
import time

CLOSE, RESET, SILENCE = "close", "reset", "silence"  # instead of a reply, and of doing what was asked


class Lost(Exception):
    pass


class Conn:
    """One connection: what was said on it, and what the protocol remembers of it."""

    def __init__(self, sock, label):
        self.sock, self.label, self.buffer, self.log, self.state = sock, label, b"", [], {}

    def more(self):
        try:
            got = self.sock.recv(65536)
        except ConnectionResetError:
            got = b""
        if not got:
            raise Lost
        self.buffer += got

    def take(self, n):
        while len(self.buffer) < n:
            self.more()
        got, self.buffer = self.buffer[:n], self.buffer[n:]
        return got

    def line(self, end=b"\n"):
        while end not in self.buffer:
            self.more()
        return self.take(self.buffer.index(end) + len(end))


# ---- Redis ----

def resp(value):
    if value is None:
        return b"$-1\r\n"
    if isinstance(value, int):
        return b":%d\r\n" % value
    if isinstance(value, list):
        return b"*%d\r\n" % len(value) + b"".join(resp(v) for v in value)
    if value[:1] in (b"+", b"-"):
        return value + b"\r\n"
    return b"$%d\r\n%s\r\n" % (len(value), value)


class Redis:
    def __init__(self):
        self.keys = {}

    def read(self, conn):
        head = conn.line(b"\r\n")
        raw, args = head, []
        assert head[:1] == b"*", head
        for _ in range(int(head[1:])):
            size = conn.line(b"\r\n")
            assert size[:1] == b"$", size
            text = conn.take(int(size[1:]) + 2)
            assert text[-2:] == b"\r\n", text
            raw += size + text
            args.append(text[:-2])
        return raw, args

    def do(self, args):
        name, keys = args[0], self.keys
        if name == b"GET":
            return keys.get(args[1])
        if name == b"SET":
            keys[args[1]] = args[2]
            return b"+OK"
        if name == b"DEL":
            return int(keys.pop(args[1], None) is not None)
        if name == b"SADD":
            keys.setdefault(args[1], []).append(args[2])
            return 1
        if name == b"SMEMBERS":
            return list(keys.get(args[1], []))
        if name == b"RPUSH":
            keys.setdefault(args[1], []).append(args[2])
            return len(keys[args[1]])
        if name == b"LRANGE":
            assert args[2:] == [b"0", b"-1"], args
            return list(keys.get(args[1], []))
        if name == b"LPOP":
            return keys[args[1]].pop(0) if keys.get(args[1]) else None
        if name == b"EVAL":
            if keys.get(args[3]) != args[4]:
                return 0
            keys[args[3]] = args[5]
            return 1
        if name in (b"WATCH", b"UNWATCH", b"AUTH"):
            return b"+OK"
        return b"-ERR unknown command"

    def answer(self, conn, args):
        queue = conn.state.get("queue")
        if args[0] == b"MULTI":
            conn.state.update(queue=[], spoilt=False)
            return resp(b"+OK")
        if args[0] == b"EXEC":
            conn.state["queue"] = None
            if queue is None or conn.state.pop("spoilt", False):
                return resp(b"-EXECABORT")
            return resp([self.do(one) for one in queue])
        if queue is not None:
            queue.append(args)
            return resp(b"+QUEUED")
        return resp(self.do(args))


# ---- ZooKeeper ----

def jute_text(text):
    return struct.pack(">i", len(text)) + text


class Taken:
    def __init__(self, raw):
        self.raw = raw

    def take(self, n):
        assert len(self.raw) >= n, self.raw
        got, self.raw = self.raw[:n], self.raw[n:]
        return got

    def int(self):
        return struct.unpack(">i", self.take(4))[0]

    def text(self):
        return self.take(self.int())


class ZooKeeper:
    def __init__(self):
        self.nodes, self.zxid = {}, 0

    def read(self, conn):
        size = conn.take(4)
        body = conn.take(struct.unpack(">i", size)[0])
        return size + body, body

    def stat(self, version):
        return bytes(32) + struct.pack(">i", version) + bytes(32)

    def change(self, kind, body):
        """An error, or what a change does when it is done."""
        path = body.text()
        assert path.startswith(b"/"), path
        have = self.nodes.get(path)
        if kind == 13:
            version = body.int()
            return None if have and have[1] == version else -103
        data = body.text()
        if kind == 1:
            rights = [(body.int(), body.text(), body.text()) for _ in range(body.int())]
            assert rights == [(31, b"world", b"anyone")] and body.int() == 0, rights
            return (lambda: self.nodes.__setitem__(path, (data, 0))) if have is None else -110
        version = body.int()
        if have is None:
            return -101
        if version not in (-1, have[1]):
            return -103
        return lambda: self.nodes.__setitem__(path, (data, have[1] + 1))

    def multi(self, body):
        doing, results = [], b""
        while True:
            kind, done, error = body.int(), body.take(1), body.int()
            assert error == -1, error
            if kind == -1:
                assert done == b"\1" and body.raw == b"", body.raw
                break
            assert done == b"\0", done
            what = self.change(kind, body)
            if isinstance(what, int):
                body.raw = b""
                return what, b""
            doing.append(what)
            results += struct.pack(">ibi", kind, 0, 0)
        for what in doing:
            if what is not None:
                what()
        return 0, results + struct.pack(">ibi", -1, 1, -1)

    def answer(self, conn, raw):
        body = Taken(raw)
        if not conn.state.get("open"):
            assert body.int() == 0 and body.take(8) == bytes(8) and body.int() == 40000, raw
            assert body.take(8) == bytes(8) and body.text() == bytes(16) and body.raw == b"\0", raw
            conn.state["open"] = True
            return jute_text(struct.pack(">iiq", 0, 40000, 77) + jute_text(bytes(16)) + b"\0")
        xid, kind, error, rest = body.int(), body.int(), 0, b""
        self.zxid += 1
        if kind == 4:
            path = body.text()
            assert body.take(1) == b"\0", raw
            node = self.nodes.get(path)
            error, rest = (0, jute_text(node[0]) + self.stat(node[1])) if node else (-101, b"")
        elif kind == 9:
            rest = jute_text(body.text())
        elif kind == 14:
            error, rest = self.multi(body)
        else:
            what = self.change(kind, body)
            if isinstance(what, int):
                error = what
            else:
                what()
                rest = self.stat(0)
        assert body.raw == b"", body.raw
        return jute_text(struct.pack(">iqi", xid, self.zxid, error) + rest)


# ---- HTTP, and etcd over it ----

def http(status, body, *headers):
    lines = [b"HTTP/1.1 " + status, *headers]
    if not any(h.lower().startswith((b"content-length", b"transfer-encoding", b"connection: close")) for h in headers):
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class Http:
    def read(self, conn):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += conn.line(b"\r\n")
        size = int(re.search(rb"\r\nContent-Length: (\d+)\r\n", head).group(1))
        body = conn.take(size)
        method, path, version = head.split(b"\r\n")[0].split(b" ")
        assert version == b"HTTP/1.1", head
        return head + body, (method, path, body)


class Etcd(Http):
    def __init__(self):
        self.keys, self.revision = {}, 1

    def put(self, pair):
        self.revision += 1
        self.keys[pair["key"]] = (pair["value"], self.revision)

    def answer(self, conn, request):
        method, path, body = request
        assert method == b"POST", request
        body, out = json.loads(body), {}
        if path == b"/v3/kv/range":
            base64.b64decode(body["key"], validate=True)
            if body["key"] in self.keys:
                value, revision = self.keys[body["key"]]
                out = {"kvs": [{"key": body["key"], "mod_revision": str(revision), "value": value}], "count": "1"}
        elif path == b"/v3/kv/put":
            self.put(body)
        elif path == b"/v3/kv/txn":
            good = all(str(self.keys.get(c["key"], ("", 0))[1]) == c["mod_revision"] and c["target"] == "MOD" and
                       c["result"] == "EQUAL" for c in body["compare"])
            for one in body["success"] if good else []:
                if "request_put" in one:
                    self.put(one["request_put"])
                else:
                    self.keys.pop(one["request_delete_range"]["key"], None)
            out = {"succeeded": True} if good else {}
        else:
            return http(b"404 Not Found", b"{}")
        return http(b"200 OK", json.dumps(out).encode())


class Store(Http):
    """GET /key, PUT /key with a body, and everything else a POST: what a user would describe."""

    def __init__(self):
        self.keys = {}

    def answer(self, conn, request):
        method, path, body = request
        if method == b"GET":
            have = self.keys.get(path)
            return http(b"404 Not Found", b"none") if have is None else http(b"200 OK", b"= " + have + b"\n")
        if method == b"PUT":
            self.keys[path] = body
        return http(b"204 No Content", b"")


# ---- PostgreSQL ----

def pg(kind, body):
    return kind + struct.pack(">i", len(body) + 4) + body


def pg_error(severity, code, text):
    return pg(b"E", b"S%s\0V%s\0C%s\0M%s\0\0" % (severity, severity, code, text))


READY = pg(b"Z", b"I")


class Postgres:
    def __init__(self, password=None):
        self.rows, self.password = {}, password

    def read(self, conn):
        kind = conn.take(1) if conn.state.get("open") else b""
        size = conn.take(4)
        body = conn.take(struct.unpack(">i", size)[0] - 4)
        return kind + size + body, (kind, body)

    def row(self, key):
        if key not in self.rows:
            return b""
        return pg(b"D", struct.pack(">hi", 1, len(self.rows[key])) + self.rows[key])

    def upsert(self, key, value, how):
        if how == b"EXCLUDED.v" or key not in self.rows:
            self.rows[key] = value
        else:
            assert how == (b"CASE assay_cells.v WHEN '' THEN EXCLUDED.v ELSE assay_cells.v || ',' || EXCLUDED.v END"), how
            self.rows[key] = self.rows[key] + b"," + value if self.rows[key] else value

    def query(self, conn, sql):
        select_one = re.fullmatch(rb"SELECT v FROM assay_cells WHERE k = '(\w+)'", sql)
        insert = re.fullmatch(rb"INSERT INTO assay_cells VALUES \('(\w+)', '([-\w,]*)'\) ON CONFLICT \(k\) DO UPDATE SET v = (.*)", sql)
        delete = re.fullmatch(rb"DELETE FROM assay_cells WHERE k = '(\w+)'", sql)
        if select_one:
            return pg(b"T", b"\0\0") + self.row(select_one.group(1)) + pg(b"C", b"SELECT 1\0")
        if insert:
            self.upsert(*insert.groups())
            return pg(b"C", b"INSERT 0 1\0")
        if delete:
            self.rows.pop(delete.group(1), None)
            return pg(b"C", b"DELETE 1\0")
        if sql.startswith(b"BEGIN ISOLATION LEVEL "):
            conn.state["before"] = dict(self.rows)
            return pg(b"C", b"BEGIN\0")
        if sql == b"ROLLBACK":
            self.rows = conn.state["before"]
        elif sql != b"COMMIT" and not sql.startswith(b"CREATE TABLE IF NOT EXISTS assay_cells ("):
            return pg_error(b"ERROR", b"42601", b"syntax error")
        return pg(b"C", sql.split(b" ")[0] + b"\0")

    def answer(self, conn, request):
        kind, body = request
        if not conn.state.get("open"):
            conn.state["open"] = True
            assert body[:4] == struct.pack(">i", 196608) and body[-2:] == b"\0\0", body
            if self.password is not None:
                return pg(b"R", struct.pack(">i", 3))
        if kind == b"p" and body != self.password + b"\0":
            return pg_error(b"FATAL", b"28P01", b"password authentication failed")
        if kind in (b"p", b""):
            return pg(b"R", struct.pack(">i", 0)) + pg(b"S", b"a\0b\0") + pg(b"K", bytes(8)) + READY
        assert kind == b"Q" and body[-1:] == b"\0", request
        return self.query(conn, body[:-1]) + READY


# ---- lines ----

class Lines:
    """Says what it knows of the key: "get k0" -> "= 5", anything else -> "done"."""

    def __init__(self):
        self.keys = {}

    def read(self, conn):
        raw = conn.line()
        return raw, raw[:-1].decode().split(" ")

    def answer(self, conn, words):
        name, rest = words[0], words[1:]
        have = self.keys.get(rest[0], "") if rest else ""
        if name == "get":
            return b"= %s\n" % have.encode() if have else b"none\r\n"
        if name == "set":
            self.keys[rest[0]] = rest[1]
        elif name == "push":
            self.keys[rest[0]] = have + "," + rest[1] if have else rest[1]
        elif name == "pop":
            first, _, self.keys[rest[0]] = have.partition(",")
            return b"= %s\n" % first.encode() if first else b"none\n"
        elif name == "swap":
            if have != rest[1]:
                return b"differs\n"
            self.keys[rest[0]] = rest[2]
        elif name == "del":
            self.keys.pop(rest[0], None)
        return b"done\n"


# ---- conversations ----

class Server:
    """One or two addresses (A, B) of one server. `faults`: by the number of the request, what is said instead."""

    def __init__(self, protocol, faults, targets):
        self.protocol, self.faults, self.at, self.conns, self.lock, self.client = protocol, faults, 0, [], threading.Lock(), None
        self.listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(targets)]
        self.ports = [one.getsockname()[1] for one in self.listeners]
        self.ends = socket.socketpair()
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def accept(self):
        while True:
            ready = select.select([*self.listeners, self.ends[0]], [], [])[0]
            for i, listener in enumerate(self.listeners):
                if listener in ready:
                    sock = listener.accept()[0]
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    conn = Conn(sock, "AB"[i])
                    self.conns.append(conn)
                    thread = threading.Thread(target=self.serve, args=(conn,))
                    self.threads.append(thread)
                    thread.start()
            if self.ends[0] in ready and len(ready) == 1:
                return

    def reply(self, conn, fault, request):
        if fault in (CLOSE, RESET):
            if fault == RESET:
                conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise Lost
        if fault == SILENCE:
            while True:
                conn.more()
        if callable(fault):
            return fault(self, conn, request)
        if fault is not None:
            conn.state["spoilt"] = True
            return fault
        return self.protocol.answer(conn, request)

    def send_and_reset(self, conn, out):
        """The client sees both at once: it is stopped meanwhile."""
        while self.client is None:
            time.sleep(0.001)
        os.kill(self.client.pid, signal.SIGSTOP)
        while open("/proc/%d/stat" % self.client.pid, encoding="utf-8").read().rpartition(")")[2].split()[0] != "T":
            time.sleep(0.001)
        conn.sock.sendall(out)
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        conn.sock.close()
        os.kill(self.client.pid, signal.SIGCONT)
        raise Lost

    def serve(self, conn):
        try:
            while True:
                raw, request = self.protocol.read(conn)
                conn.log.append("> %r" % raw)
                with self.lock:
                    fault = self.faults.get(self.at)
                    self.at += 1
                if fault in (CLOSE, RESET, SILENCE):
                    conn.log.append("< " + fault)
                out = self.reply(conn, fault, request)
                if fault is not None:
                    conn.log.append("< %r" % out)
                if conn.state.get("reset"):
                    self.send_and_reset(conn, out)
                conn.sock.sendall(out)
                if conn.state.get("hang_up"):
                    raise Lost
        except Lost:
            if conn.buffer:
                conn.log.append("> half a request: %r" % conn.buffer)
        except OSError:
            pass
        except Exception as wrong:  # a request that is not as it should be
            conn.log.append("! %s: %s" % (type(wrong).__name__, wrong))
        conn.sock.close()

    def end(self):
        self.ends[1].close()
        for thread in self.threads:
            thread.join()
        for one in [*self.listeners, self.ends[0]]:
            one.close()


def last(n):
    """The model's reply, without what follows after n bytes, and then the end."""
    def fault(server, conn, request):
        conn.state["hang_up"] = True
        return server.protocol.answer(conn, request)[:n]
    return fault


def then_reset(server, conn, request):
    """The model's reply, and no connection any more when it is read."""
    conn.state["reset"] = True
    return server.protocol.answer(conn, request)


def then_close(text):
    def fault(server, conn, request):
        conn.state["hang_up"] = True
        return text
    return fault


def at_port(text):
    """A text with the port of B."""
    return lambda server, conn, request: text % server.ports[1]


def talk(title, protocol, arguments, faults=None, targets=1, order=False):
    """Runs `assay client` with a server and prints all that was said. With `order`, lines of the history by process."""
    server = Server(protocol, faults or {}, targets)
    names = ["127.0.0.1:%d" % port for port in server.ports]
    command = ["assay", "client", *arguments, "--timeout", "20s"] if "--timeout" not in arguments else ["assay", "client", *arguments]
    for name in names:
        command += ["--target", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server.client:
        stdout, stderr = server.client.communicate()
    server.end()
    print("== %s: %s" % (title, " ".join(arguments)))
    said = [["connection to %s" % conn.label, *conn.log] for conn in server.conns]
    out = [line for one in (sorted(said) if order else said) for line in one]
    history = stdout.decode().splitlines()
    out += sorted(history) if order else history
    out += stderr.decode().splitlines()
    out.append("status %d" % server.client.returncode)
    for line in out:
        for i, port in enumerate(server.ports):
            line = re.sub(r"\b%d\b" % port, "PORT_" + "AB"[i], line)
        print(line)
