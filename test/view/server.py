"""What the server of `assay view` answers, and to whom.

usage: server.py ASSAY FILE...
"""
import http.client
import re
import socket
import subprocess
import sys

server = subprocess.Popen(sys.argv[1:2] + ["view"] + sys.argv[2:], stdout=subprocess.PIPE, text=True)
url = server.stdout.readline().strip()
bad = 0


def check(name, good, what=""):
    global bad
    print(f"{'ok' if good else 'not ok'} view/server-{name}" + ("" if good else f": {what}"))
    bad += 0 if good else 1


def ask(path, method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read().decode()


def raw(data, end=True):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as s:
        s.sendall(data)
        if end:
            s.shutdown(socket.SHUT_WR)
        out = b""
        while True:
            part = s.recv(65536)
            if not part:
                return out.decode(errors="replace")
            out += part


try:
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", url)
    check("address", found, url)
    port, token = int(found.group(1)), found.group(2)
    home = f"/{token}/"
    status, headers, page = ask(home)
    policy = headers.get("Content-Security-Policy", "")
    check("page", status == 200 and "</html>" in page, status)
    check("policy", "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy and "connect-src 'self'" in policy, policy)
    nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)
    check("nonce", nonce and all(nonce.group(1) in tag for tag in re.findall(r"<(?:script|style)[^>]*>", page)), "a script without the nonce")
    wanted = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
              "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store"}
    check("headers", all(headers.get(k) == v for k, v in wanted.items()), headers)
    check("no-cors", not any(k.lower().startswith("access-control") for k in headers), headers)
    other = "0" * 32 if token != "0" * 32 else "1" * 32
    refused = [
        ("no-token", "/", {}), ("another-token", f"/{other}/", {}), ("part-of-token", f"/{token[:-1]}/", {}), ("token-without-slash", f"/{token}", {}),
        ("rebound-name", home, {"Host": f"evil.example:{port}"}), ("other-port", home, {"Host": "127.0.0.1:1"}), ("no-host", home, {"Host": ""}),
        ("other-origin", home, {"Origin": "http://evil.example"}), ("other-port-origin", home, {"Origin": f"http://127.0.0.1:{port + 1}"}), ("null-origin", home, {"Origin": "null"}),
        ("cross-site", home, {"Sec-Fetch-Site": "cross-site"}), ("same-site", home, {"Sec-Fetch-Site": "same-site"}),
    ]
    for name, path, extra in refused:
        status, headers, body = ask(path, **extra)
        check(name, status == 403 and token not in body and "</html>" not in body, f"status {status}")
        if name == "token-without-slash":
            continue
        status, headers, body = ask(path.rstrip("/") + "/api" if path != "/" else "/api", "POST", '{"op":"initial"}', **extra)
        check(name + "-post", status == 403 and "states" not in body, f"status {status}")
    check("localhost", ask(home, Host=f"localhost:{port}")[0] == 200)
    check("other-path", ask(home + "nothing")[0] == 404)
    check("get-api", ask(home + "api")[0] == 404)
    check("post-page", ask(home, "POST", "x")[0] == 404)
    for name, question in (("no-json", "{"), ("no-op", "{}"), ("no-state", '{"op":"next","state":-1}'), ("far-state", '{"op":"next","state":99999999}'), ("text-state", '{"op":"next","state":"1"}'),
                           ("no-expression", '{"op":"eval","states":[0]}'), ("deep", "[" * 100000)):
        status, headers, body = ask(home + "api", "POST", question)
        check("asks-" + name, status == 200 and '"error"' in body, body[:200])
    big = "x" * (5 << 20)
    check("too-much", "HTTP/1.1" not in raw(f"POST {home}api HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(big)}\r\n\r\n".encode(), False))
    check("bad-length", "200 OK" not in raw(f"POST {home}api HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: -5\r\n\r\n".encode(), False))
    check("endless-head", "200 OK" not in raw(f"GET {home} HTTP/1.1\r\nX: ".encode() + b"y" * (80 << 10), False))
    check("garbage", "200 OK" not in raw(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"))
    check("two-hosts", "200 OK" not in raw(f"GET {home} HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()))
    # Connections that say nothing keep nobody waiting.
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    check("silent", ask(home)[0] == 200)
    for s in silent:
        s.close()
    listening = [line.split()[1] for line in open("/proc/net/tcp") if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")]
    check("only-here", listening == [f"0100007F:{port:04X}"], listening)
    six = [line for line in open("/proc/net/tcp6") if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")]
    check("not-ipv6", not six, six)
finally:
    server.terminate()
    check("ends", server.wait(timeout=60) == 0, server.returncode)
sys.exit(1 if bad else 0)
