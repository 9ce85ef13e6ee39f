"""Conversations of `assay client` with something like etcd."""
from stand_in import CLOSE, Etcd, http, last, talk, then_close

ONE = ["--over", "etcd", "--workers", "1", "--rate", "0", "--keys", "2"]

for workload in "register cas kv set queue lock list-append rw-register bank".split():
    talk("all goes well", Etcd(), [workload, *ONE, "--seed", "3", "--operations", "8", "--final", "1ms", "--accounts", "3"])

WRITE = ["register", *ONE, "--seed", "1", "--mix", "write=1", "--operations", "2"]
READ = ["register", *ONE, "--seed", "1", "--mix", "read=1", "--operations", "2"]
TXN = ["rw-register", *ONE, "--seed", "2", "--operations", "2"]
talk("old reads", Etcd(), [*READ, "--read", "serializable"])
talk("old reads, but not in transactions", Etcd(), [*TXN, "--read", "serializable"])
talk("reads of another kind", Etcd(), [*READ, "--read", "local"])
talk("headers", Etcd(), [*WRITE, "--header", "Authorization: abc", "--header", "X-Y: z"])
for code in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14):
    reply = http(b"400 Bad Request", b'{"error":"no","code":%d}' % code)
    talk("a write is refused", Etcd(), WRITE, {0: reply}, targets=2)
    talk("a read is refused", Etcd(), READ, {0: reply}, targets=2)
for body in (b'{"error":"etcdserver: no leader","code":14}', b'{"code":14}', b"{}", b"no JSON", b""):
    talk("a write is refused", Etcd(), WRITE, {0: http(b"503 Service Unavailable", body)}, targets=2)
for fault in (CLOSE, last(5), last(30), b"HTTP/2 200 OK\r\n\r\n", b"HTTP/1.1 20\r\n\r\n", http(b"200 OK", b"[")):
    talk("a write goes wrong", Etcd(), WRITE, {0: fault}, targets=2)
    talk("a read goes wrong", Etcd(), READ, {0: fault}, targets=2)
for value in (b"", b"MQ==", b"MTI=", b"MTIz", b"MTIzNA==", b"Ki8/", b"4oKs", b"+/+/", b"!!!!", b"MQ"):
    body = b'{"kvs":[{"key":"azE=","value":"%s","mod_revision":"9"}]}' % value
    talk("what a read may return", Etcd(), READ, {0: http(b"200 OK", body)})
for body in (b'{"kvs":[]}', b'{"kvs":[{"key":"azE="}]}', b'{"kvs":[{"value":5}]}', b"[]"):
    talk("what a read may return", Etcd(), READ, {0: http(b"200 OK", body)})
    talk("what a transaction may read", Etcd(), TXN, {0: http(b"200 OK", body)})

GOOD = b'{"kvs":[{"value":"Nw=="}]}'
for reply in (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n" + GOOD[:5] + b"\r\n15;x=y\r\n" + GOOD[5:] + b"\r\n0\r\n\r\n",
              b"HTTP/1.1 200 OK\r\nTRANSFER-ENCODING:Chunked\r\n\r\n1A\r\n" + GOOD + b"\r\n0\r\n\r\n",
              b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n",
              b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n",
              b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n",
              b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length:  26 \r\n\r\n" + GOOD,
              b"HTTP/1.1 200 OK\nContent-Length: 26\n\n" + GOOD,
              b"HTTP/1.1 200 OK\r\nContent-Lengths: 5\r\nX-Content-Length: 3\r\nContent-Length: 26\r\n\r\n" + GOOD,
              b"HTTP/1.1 200 OK\r\nContent-Length: 26\r\nConnection: Close\r\n\r\n" + GOOD,
              b"HTTP/1.1 200 OK\r\nContent-Length: 26\r\nConnection: closed\r\n\r\n" + GOOD,
              b"HTTP/1.0 200 OK\r\nContent-Length: 26\r\n\r\n" + GOOD,
              b"HTTP/1.0 200 OK\r\nContent-Length: 26\r\nConnection: keep-alive\r\n\r\n" + GOOD,
              then_close(b"HTTP/1.1 200 OK\r\n\r\n" + GOOD),
              then_close(b"HTTP/1.1 200 OK\r\n\r\n"),
              b"HTTP/1.1 204 No Content\r\n\r\n", b"HTTP/1.1 304 Not Modified\r\n\r\n",
              b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"):
    talk("how a reply may look", Etcd(), READ, {0: reply}, targets=2)
    talk("how a reply may look in a transaction", Etcd(), TXN, {0: reply}, targets=2)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1A\r\n" + GOOD + b"\r\n0\r\n\r\n"
talk("two replies in pieces", Etcd(), READ, {0: CHUNKED, 1: CHUNKED})
for at in range(4):
    talk("a transaction: refused", Etcd(), TXN, {at: http(b"400 Bad Request", b'{"error":"no","code":3}')}, targets=2)
    talk("a transaction: perhaps", Etcd(), TXN, {at: http(b"500 Oh", b'{"error":"no","code":2}')}, targets=2)
    talk("a transaction: lost", Etcd(), TXN, {at: CLOSE}, targets=2)
talk("a transaction: others are faster", Etcd(), TXN, {1: http(b"200 OK", b"{}"), 3: http(b"200 OK", b'{"succeeded":false}'),
                                                       5: http(b"200 OK", b'{"succeeded":1}')})
