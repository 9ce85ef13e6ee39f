"""Creates a node in ZooKeeper and reads it back, in ZooKeeper's own protocol."""
import socket
import struct
import sys
import time


def text(b):
    return struct.pack(">i", len(b)) + b


def exchange(s, body):
    s.sendall(text(body))
    head = s.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        raise OSError("closed")
    return s.recv(struct.unpack(">i", head)[0], socket.MSG_WAITALL)


for attempt in range(30):
    try:
        s = socket.create_connection((sys.argv[1], 2181), 2)
        exchange(s, struct.pack(">iqiq", 0, 0, 10000, 0) + text(b"\0" * 16) + b"\0")
        acl = struct.pack(">ii", 1, 31) + text(b"world") + text(b"anyone")
        made = exchange(s, struct.pack(">ii", 1, 1) + text(b"/key") + text(b"value") + acl + struct.pack(">i", 0))
        error = struct.unpack(">i", made[12:16])[0]
        if error not in (0, -110):
            raise OSError("error %d" % error)
        got = exchange(s, struct.pack(">ii", 2, 4) + text(b"/key") + b"\0")
        n = struct.unpack(">i", got[16:20])[0]
        print("read", got[20:20 + n].decode(), flush=True)
        sys.exit(0)
    except (OSError, struct.error):
        time.sleep(1)
sys.exit(1)
