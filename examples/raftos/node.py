"""A node of raftos, as it is on PyPI, which also watches what Raft promises: it ends, with another status for each promise, where one is broken.

    node.py ADDRESS PEER...     listens on ADDRESS:8000; a datagram to ADDRESS:8001 is a command

Messages are JSON, one of the two forms that the package offers, and not encrypted, which is what it does where the package cryptography
is missing.
"""
import asyncio
import logging
import sys

if sys.version_info >= (3, 10):  # the package is older: queues were told their loop
    asyncio.Queue = lambda loop=None, queue=asyncio.Queue: queue()
logging.getLogger("raftos").setLevel(logging.CRITICAL)

import raftos
from raftos.cryptors import DummyCryptor
from raftos.serializers import JSONSerializer
from raftos.server import Node
from raftos.state import Leader

TWO_LEADERS, COMMITTED_ERASED, MATCH_BACK = 3, 4, 5


def broken(status, text):
    print(text, flush=True)
    sys.exit(status)


def watched(self, data, handle=Node.request_handler):
    """Handles a message, and looks before and after."""
    state, leader = self.state, self.state.state
    term, commit = state.storage.term, state.log.commit_index
    committed, match = list(state.log.cache[:commit]), dict(state.log.match_index or {})
    if data["type"] == "append_entries" and isinstance(leader, Leader) and data["term"] == term:
        broken(TWO_LEADERS, "%s and %s lead term %d" % (state.id, data["leader_id"], term))
    handle(self, data)
    if state.log.cache[:commit] != committed:
        broken(COMMITTED_ERASED, "was committed: %s, now there: %s" % (committed, state.log.cache[:commit]))
    for node, index in match.items() if state.state is leader and isinstance(leader, Leader) else ():
        if state.log.match_index[node] < index:
            broken(MATCH_BACK, "match index of %s went back from %d to %d" % (node, index, state.log.match_index[node]))


class Commands(asyncio.DatagramProtocol):
    count = 0

    def datagram_received(self, data, sender):
        self.count += 1
        if isinstance(raftos.State.leader, Leader):
            asyncio.ensure_future(raftos.State.set_value("x", self.count))


async def main(address, peers):
    raftos.configure({"log_path": "/data/", "serializer": JSONSerializer, "cryptor": DummyCryptor})
    loop = asyncio.get_event_loop()
    await loop.create_datagram_endpoint(Commands, local_addr=(address, 8001))
    await raftos.register(address + ":8000", cluster=[peer + ":8000" for peer in [address] + peers], loop=loop)
    await asyncio.Event().wait()


Node.request_handler = watched
asyncio.get_event_loop_policy().get_event_loop().run_until_complete(main(sys.argv[1], sys.argv[2:]))
