# What pinger.c does, for the tests of how much of a program in Python a suite exercises; all that is observed is printed or in a file.
#
#     python3-coverage run pinger.py SELF PEER
import os
import select
import socket
import sys
import time


def never(text):
    if len(text) > 3:
        print(text)


class Server:
    def __init__(self, peer):
        """One thread; connections are made again at once when they break."""
        self.sent = self.total = 0
        self.peer_name, self.peer, self.up = peer, None, False
        self.clients = []
        if os.path.exists("/data/total"):
            with open("/data/total", encoding="ascii") as file:
                self.total = int(file.read())
        self.listener = socket.create_server(("", 7000))
        self.dial()

    def dial(self):
        self.peer, self.up = socket.socket(), False
        self.peer.setblocking(False)
        self.peer.connect_ex((self.peer_name, 7000))

    def ping(self):
        self.sent += 1
        if self.sent > 1000:
            never("too many")
        if self.up:
            self.peer.send(b"PING %d\n" % self.sent)
        print("sent", self.sent, flush=True)

    def add(self, v):
        self.total += v
        with open("/data/total", "w", encoding="ascii") as file:
            file.write(str(self.total))
            file.flush()
            os.fsync(file.fileno())
        return self.total

    def handle(self, client, line):
        kind, v = line.split()
        if kind == "PING":
            print("seen", v, flush=True)
        elif kind == "ADD":
            client.send(
                b"total %d\n"
                % self.add(int(v)))
        else:
            never(kind)

    def receive(self, client):
        try:
            text = client.recv(512).decode()
        except OSError:
            text = ""
        for line in text.splitlines():
            self.handle(client, line)
        if not text:
            self.clients.remove(client)
            client.close()

    def serve(self):
        due = time.monotonic() + 0.1
        while True:
            inputs = [self.listener, *self.clients, self.peer]
            readable, writable, _ = select.select(inputs, [] if self.up else [self.peer], [], max(0, due - time.monotonic()))
            if time.monotonic() >= due:
                self.ping()
                due = time.monotonic() + 0.1
            for client in [c for c in self.clients if c in readable]:
                self.receive(client)
            if self.peer in readable:
                self.peer.close()
                self.dial()
            elif self.peer in writable:
                self.up = True
            if self.listener in readable:
                self.clients.append(self.listener.accept()[0])


Server(sys.argv[2]).serve()
