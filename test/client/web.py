"""Conversations of `assay client` with a server of HTTP that the user describes, and what it says of wrong options."""
import subprocess

from stand_in import CLOSE, Store, http, last, talk, then_close

ONE = ["--over", "http", "--workers", "1", "--rate", "0", "--keys", "2"]
SEND = [part for word in ("read", "GET /{key}", "write", "PUT /{key}\n{value}") for part in ("--send", word)]
REPLIES = [part for word in ("read", "ok", "200 = {value}", "read", "ok", "404*", "write", "ok", "204", "*", "next", "503*", "*", "fail", "4*",
                             "*", "info", "5*") for part in ("--reply", word)]

for workload in ("register", "rw-register"):
    talk("all goes well", Store(), [workload, *ONE, "--txn", "1", "--seed", "3", "--operations", "8", "--final", "1ms", *SEND, *REPLIES])
WRITE = ["register", *ONE, "--seed", "1", "--mix", "write=1", "--operations", "3", *SEND, *REPLIES]
READ = ["register", *ONE, "--seed", "1", "--mix", "read=1", "--operations", "3", *SEND, *REPLIES]
for fault in (http(b"503 No", b"busy"), http(b"400 Bad", b"why"), http(b"500 Oh", b"who knows"), http(b"302 Found", b""), CLOSE, last(9),
              http(b"204 No Content", b"", b"Connection: close"), then_close(b"HTTP/1.1 200 OK\r\n\r\n = 7 \r\n"), http(b"304 Not", b"")):
    talk("a write", Store(), WRITE, {0: fault}, targets=2)
    talk("a read", Store(), READ, {0: fault}, targets=2)


def only_head(server, conn, request):
    """To HEAD the length of what is not sent."""
    return http(b"200 OK", b"", b"Content-Length: 5") if request[0] == b"HEAD" else http(b"204 No Content", b"")


HEAD = [part for word in ("read", "HEAD", "write", "POST\nx={value}&k={key}\n") for part in ("--send", word)]
talk("only a method", Store(), ["register", *ONE, "--seed", "3", "--operations", "4", *HEAD, *REPLIES],
     {i: only_head for i in range(4)})
talk("headers", Store(), [*WRITE, "--header", "A: b", "--header", "C: d"])

# What is wrong with the options, and servers that are not there.
GOOD = {"--over": "redis", "--operations": "1", "--seed": "1", "--rate": "0", "--patience": "0.000000001s", "--target": "127.0.0.1:1"}


def wrong(workload, change):
    options = [part for name, value in {**GOOD, **change}.items() if value is not None for part in (name, value)]
    done = subprocess.run(["assay", "client", *workload, *options], capture_output=True, check=False)
    print("==", *workload, *options)
    print(done.stdout.decode() + done.stderr.decode() + "status %d" % done.returncode)


for change in ({}, {"--target": None}, {"--target": "127.0.0.1:0"}, {"--target": "127.0.0.1:65536"}, {"--target": "127.0.0.1:1x"}, {"--target": ":1"},
               {"--target": "127.0.0.1:"}, {"--over": "line", "--target": "127.0.0.1"}, {"--over": "etcd", "--target": "127.0.0.1:x"},
               {"--over": "zookeeper", "--target": "127.0.0.1:x"}, {"--over": "postgres", "--target": "127.0.0.1:x"},
               {"--over": "http", "--target": ":80"}, {"--over": "reddis"}, {"--over": "x"}, {"--over": None}, {"--workers": "257"}, {"--workers": "0"},
               {"--workers": "99999999"}, {"--accounts": "1"}, {"--operations": "0"}, {"--operations": "x"}, {"--rate": "x"}, {"--rate": "-1"},
               {"--rate": "1e9"}, {"--rate": "2x"}, {"--seed": "x"}, {"--seed": "-1"}, {"--mix": "read"}, {"--mix": "read=1000001"},
               {"--mix": "read=123456789012"}, {"--mix": "read="}, {"--mix": "read=1,"}, {"--mix": "raed=1"}, {"--mix": "read=0,write=0"},
               {"--mix": "zzz=1"}, {"--skip": "1"}, {"--skip": "0.1,"}, {"--skip": "0.1,x"}, {"--isolation": "x", "--over": "postgres"}):
    wrong(["register"], change)
for workload in ([], ["regster"], ["zzz"], ["kv"], ["bank"]):
    wrong(workload, {"--mix": "raed=1"})
