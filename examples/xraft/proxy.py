"""Between a node of Xraft and another that it calls: what the other answers comes so many times.

    proxy.py PORT HOST:PORT TIMES        votes (messages of type 2) from HOST:PORT are handed on TIMES times, all else once
"""
import socket
import struct
import sys
import threading

VOTE = 2


def copy(source, sink):
    while data := source.recv(65536):
        sink.sendall(data)
    sink.shutdown(socket.SHUT_WR)


def messages(source):
    data = b""
    while part := source.recv(65536):
        data += part
        while len(data) >= 8 and len(data) >= 8 + struct.unpack(">i", data[4:8])[0]:
            size = 8 + struct.unpack(">i", data[4:8])[0]
            yield data[:size]
            data = data[size:]


def answers(source, sink, times):
    for message in messages(source):
        for _ in range(times if struct.unpack(">i", message[:4])[0] == VOTE else 1):
            sink.sendall(message)
    sink.shutdown(socket.SHUT_WR)


def main(port, other, times):
    host, _, other_port = other.partition(":")
    with socket.create_server(("0.0.0.0", int(port))) as server:
        while True:
            caller, _ = server.accept()
            called = socket.create_connection((host, int(other_port)))
            threading.Thread(target=copy, args=(caller, called), daemon=True).start()
            threading.Thread(target=answers, args=(called, caller, int(times)), daemon=True).start()


main(*sys.argv[1:])
