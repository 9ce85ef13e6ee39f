"""Counts up every 100 ms; nothing tells but its memory."""
import time


class Counter:
    def __init__(self):
        self.n, self.log = 0, []

    def run(self):
        while True:
            time.sleep(0.1)
            self.n += 1
            self.log.append({"n": self.n})


Counter().run()
