"""node.py, which also watches what Raft promises about a single node: it ends, with another status for each promise, where one is broken.

    watched.py NAME PEER...
"""
import sys

from node import Counter


COMMIT_BACK, MATCH_BACK, NEXT_BELOW = 3, 4, 5


def broken(status, text):
    print(text, flush=True)
    sys.exit(status)


class Watched(Counter):
    def __init__(self, name, peers):
        self.commit, self.led, self.match = 0, 0, {}
        super().__init__(name, peers)

    def show(self):
        super().show()
        if self.raftCommitIndex < self.commit:
            broken(COMMIT_BACK, "commit index went back from %d to %d" % (self.commit, self.raftCommitIndex))
        self.commit = self.raftCommitIndex
        leads = self.own("raftCurrentTerm") if self._isLeader() else 0
        match = {node.id: index for node, index in self.own("raftMatchIndex").items()} if leads else {}
        for node, index in match.items() if leads == self.led else ():
            if index < self.match.get(node, 0):
                broken(MATCH_BACK, "match index of %s went back from %d to %d" % (node, self.match[node], index))
        for node, index in self.own("raftNextIndex").items() if leads else ():
            if index <= match.get(node.id, 0):
                broken(NEXT_BELOW, "next index of %s is %d, match index %d" % (node.id, index, match[node.id]))
        self.led, self.match = leads, match


Watched(sys.argv[1], sys.argv[2:]).run()
