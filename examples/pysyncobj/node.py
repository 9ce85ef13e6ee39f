"""A node of a replicated counter on PySyncObj, as it is packaged.

    node.py NAME PEER...        listens on NAME:4321; a datagram to NAME:4322 is a command

The library ticks when something is due and not 20 times a second, so that each expiry of a timer does something. Elections take seconds:
a leader keeps the deadline that it had as candidate, and with the default of half a second would start an election the moment it is
deposed, or not, depending on how long it led. Before the node waits, its state is in the file `state`: the library keeps it in
attributes, and this is where one can look at them.
"""
import json
import socket
import sys

from pysyncobj import SyncObj, SyncObjConf, replicated
from pysyncobj.monotonic import monotonic
from pysyncobj.poller import POLL_EVENT_TYPE


class Counter(SyncObj):
    def __init__(self, name, peers):
        never = 1e9
        self.count, self.shown = 0, None
        super().__init__(name + ":4321", [peer + ":4321" for peer in peers], SyncObjConf(
            autoTick=False, raftMinTimeout=5, raftMaxTimeout=10, connectionRetryTime=0, connectionTimeout=never, leaderFallbackTimeout=never,
            logCompactionMinTime=never, logCompactionMinEntries=10**9))
        self.commands = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.commands.bind(("0.0.0.0", 4322))
        self._poller.subscribe(self.commands.fileno(), self.on_command, POLL_EVENT_TYPE.READ)
        self.addOnTickCallback(self.show)

    @replicated
    def inc(self):
        self.count += 1

    def on_command(self, fd, event):
        self.commands.recv(100)
        self.inc()

    def own(self, name):
        return getattr(self, "_SyncObj__" + name)

    def show(self):
        def by_name(table):
            return {node.id.split(":")[0]: index for node, index in table.items()}
        voted = self.own("votedForNodeId")
        state = json.dumps({
            "role": self.own("raftState"), "term": self.own("raftCurrentTerm"), "voted": voted.split(":")[0] if voted else "",
            "votes": self.own("votesCount"), "log": [entry[2] for entry in self.own("raftLog")[:]], "commit": self.raftCommitIndex,
            "next": by_name(self.own("raftNextIndex")), "match": by_name(self.own("raftMatchIndex"))}, sort_keys=True)
        if state != self.shown:
            self.shown = state
            with open("state", "w") as file:
                file.write(state + "\n")

    def left(self):
        due = "newAppendEntriesTime" if self._isLeader() else "raftElectionDeadline"
        return self.own(due) - monotonic()

    def run(self):
        while True:
            if self.left() <= 0:
                self.doTick(0)
            left = self.left()  # a node without connections does not vote, whatever the time
            self.doTick(left + 0.001 if left > 0 else 0.05)


if __name__ == "__main__":
    Counter(sys.argv[1], sys.argv[2:]).run()
