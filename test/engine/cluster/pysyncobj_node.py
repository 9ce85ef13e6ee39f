"""A replicated counter (PySyncObj): every node increments it twice a second and prints what it sees."""
import sys
import time

from pysyncobj import SyncObj
from pysyncobj.batteries import ReplCounter

counter = ReplCounter()
nodes = [name + ":4321" for name in sys.argv[1:]]
node = SyncObj(nodes[0], nodes[1:], consumers=[counter])
last = None
while True:
    time.sleep(0.5)
    try:
        counter.inc(sync=True, timeout=2.0)
    except Exception as e:
        print("not committed:", type(e).__name__, flush=True)
    now = (str(node._getLeader()), counter.get())
    if now != last:
        print("leader %s, counter %d" % now, flush=True)
        last = now
