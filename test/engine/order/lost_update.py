"""Two threads add to a counter in a file, and neither locks it."""
import os
import threading

TIMES = 5
fd = os.open("counter", os.O_RDWR | os.O_CREAT | os.O_TRUNC)


def add():
    for _ in range(TIMES):
        n = os.pread(fd, 1, 0)[0]
        os.pwrite(fd, bytes([n + 1]), 0)


os.pwrite(fd, b"\0", 0)
threads = [threading.Thread(target=add) for _ in range(2)]
for t in threads:
    t.start()
for t in threads:
    t.join()
n = os.pread(fd, 1, 0)[0]
print("all there" if n == 2 * TIMES else "lost update", n)
