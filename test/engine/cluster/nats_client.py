"""Makes a JetStream stream with three replicas and publishes to it, in NATS's own protocol."""
import json
import socket
import sys
import time


def connect(host):
    s = socket.create_connection((host, 4222), 2)
    f = s.makefile("rb")
    f.readline()
    s.sendall(b'CONNECT {"verbose":false,"headers":true}\r\nSUB reply 1\r\n')
    return s, f


def request(s, f, subject, body):
    s.sendall(b"PUB %s reply %d\r\n%s\r\n" % (subject.encode(), len(body), body))
    while True:
        line = f.readline()
        if line.startswith(b"MSG"):
            return json.loads(f.read(int(line.split()[-1]) + 2))
        if line.startswith(b"PING"):
            s.sendall(b"PONG\r\n")
        if not line:
            raise OSError("closed")


config = json.dumps({"name": "S", "subjects": ["s.>"], "num_replicas": 3, "storage": "file"}).encode()
for attempt in range(40):  # an election takes up to 9 s, and faults come in between
    try:
        s, f = connect(sys.argv[1])
        if "error" in request(s, f, "$JS.API.STREAM.CREATE.S", config):
            raise OSError("not ready")
        for i in range(3):
            print("stored", request(s, f, "s.x", b"value %d" % i)["seq"], flush=True)
        sys.exit(0)
    except OSError:
        time.sleep(0.5)
sys.exit(1)
