"""Sends lines to a port of each host, and prints what comes back: ask.py PORT LINE... -- HOST..."""
import socket
import sys

port, cut = int(sys.argv[1]), sys.argv.index("--")
for host in sys.argv[cut + 1:]:
    with socket.create_connection((host, port)) as s:
        s.sendall("".join(line + "\r\n" for line in sys.argv[2:cut]).encode())
        answer = b""
        while part := s.recv(4096):
            answer += part
    print(host, answer)
