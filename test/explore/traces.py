#!/usr/bin/env python3
"""Traces of the small systems in test/explore/systems by brute force: the numbers that `assay explore` is compared with.

A system is a set of nodes that receive messages over channels in order and whose threads take local turns (a timer, a choice). Events of one node
depend on each other unless they are turns of two threads; a message arrives after it was sent; everything else is independent. So a trace is
what each node did, in its order, up to swaps of turns. All traces are built one event at a time, every event that is possible at every
trace so far, without any reduction.

Printed are, for each system: the traces; the same number by DEMETER's formula, the sum over skeletons (what is seen of each component from outside)
of the product of the local traces that look like that; the skeletons; the local traces, which is what dynamic interface reduction
has to execute.

usage: traces.py [NAME...]"""
import sys


class Node:
    """What a node does: `start`, `receive` and `turn` return its fields and (to, message) for all that it sends."""

    name = component = ""
    turns = {}  # thread: how many turns it takes, whenever it likes
    choices = 1  # each turn comes in so many kinds

    def start(self):
        return {}, []

    def receive(self, v, source, message):
        raise NotImplementedError

    def turn(self, v, thread, choice):
        return v, []


class Client(Node):
    def __init__(self, to, sequences):
        self.to, self.sequences = to, sequences
        self.turns, self.choices = ({"choose": 1}, len(sequences)) if len(sequences) > 1 else ({}, 1)

    def start(self):
        return {}, [] if self.turns else [(self.to, x) for x in self.sequences[0]]

    def turn(self, v, thread, choice):
        return v, [(self.to, x) for x in self.sequences[choice]]


class Server(Node):
    turns = {"checkpoint": 1}

    def __init__(self, to):
        self.to = to

    def receive(self, v, source, message):
        return {"sum": v.get("sum", 0) + message}, [(d, message) for d in self.to]


class Ring(Node):
    def __init__(self, me, to, logs):
        self.me, self.to, self.turns = me, to, {"log": logs}

    def start(self):
        return {}, [(self.to, ("elect", self.me))]

    def receive(self, v, source, message):
        kind, number = message
        if kind == "elect" and number == self.me:
            return v, [(self.to, ("leader", self.me))]
        passes = number > self.me if kind == "elect" else number != self.me
        return v, [(self.to, message)] if passes else []


class Proposer(Node):
    def __init__(self, ballot, acceptors):
        self.ballot, self.acceptors = ballot, acceptors

    def start(self):
        return {"promises": 0, "best": (0, 0), "proposed": False}, [(a, ("prepare", self.ballot)) for a in self.acceptors]

    def receive(self, v, source, message):
        if message[0] != "promise" or v["proposed"]:
            return v, []
        v = dict(v, promises=v["promises"] + 1, best=max(v["best"], message[2]))
        if v["promises"] <= len(self.acceptors) // 2:
            return v, []
        value = v["best"][1] if v["best"][0] else self.ballot
        return dict(v, proposed=True), [(a, ("accept", self.ballot, value)) for a in self.acceptors]


class Acceptor(Node):
    """Answers itself, or through a process that counts messages (Stat)."""

    def __init__(self, flushes, reports, stat):
        self.turns, self.stat = {"flush": flushes, "report": reports}, stat

    def start(self):
        return {"ballot": 0, "accepted": (0, 0)}, []

    def receive(self, v, source, message):
        answer = None
        if message[0] == "prepare" and message[1] > v["ballot"]:
            answer = ("promise", message[1], v["accepted"])
            v = dict(v, ballot=message[1])
        elif message[0] == "accept" and message[1] >= v["ballot"]:
            answer = ("accepted", message[1], None)
            v = dict(v, ballot=message[1], accepted=message[1:])
        if self.stat:
            return v, [(self.stat, (source, answer))]
        return v, [(source, answer)] if answer else []


class Stat(Node):
    turns = {"report": 1}

    def receive(self, v, source, message):
        to, answer = message
        return v, [(to, answer)] if answer else []


def system(nodes, groups=()):
    for name, node in nodes.items():
        node.name = name
        node.component = next((g[0] for g in groups if name in g), name)
    return list(nodes.values())


def accumulator():
    return system({"c": Client("p", [(1, 2), (1, 3)]), "p": Server(["s"]), "s": Server([])})


def chain(n, m):
    replicas = [f"r{i}" for i in range(1, m)]
    return system({"c": Client("p", [tuple(range(1, n + 1))]), "p": Server(replicas), **{r: Server([]) for r in replicas}})


def ring(ids, logs):
    return system({f"n{i}": Ring(me, f"n{(i + 1) % len(ids)}", logs) for i, me in enumerate(ids)})


def paxos(proposers, acceptors, flushes=1, reports=0, group=False):
    names = [f"a{i}" for i in range(acceptors)]
    nodes = {f"p{b}": Proposer(b, names) for b in range(1, proposers + 1)}
    for a in names:
        nodes[a] = Acceptor(flushes, reports, a + "s" if group else None)
        if group:
            nodes[a + "s"] = Stat()
    return system(nodes, [(a, a + "s") for a in names])


def normal(events):
    """Turns of different threads that follow each other, by the names of their threads."""
    events = list(events)
    for end in range(len(events), 1, -1):
        for i in range(end - 1):
            a, b = events[i], events[i + 1]
            if a[0] == b[0] == "T" and a[1] > b[1]:
                events[i], events[i + 1] = b, a
    return tuple(events)


class Done:
    """What one node has done: its events in their order, and what follows from them."""

    def __init__(self, events, fields):
        self.events, self.fields = events, fields
        self.next = {}  # event: index of what is then done
        self.sent, self.got, self.turns = {}, {}, {}  # to whom: messages; from whom: how many; thread: how many
        for event in events:
            if event[0] == "S":
                self.sent[event[1]] = self.sent.get(event[1], ()) + (event[2],)
            else:
                counts = self.got if event[0] == "R" else self.turns
                counts[event[1]] = counts.get(event[1], 0) + 1


class Search:
    def __init__(self, nodes):
        self.nodes = nodes
        self.index = {node.name: i for i, node in enumerate(nodes)}
        self.done = [[] for _ in nodes]
        self.known = [{} for _ in nodes]  # events: index into done
        for i, node in enumerate(nodes):
            fields, sends = node.start()
            self.enter(i, tuple(("S", to, m) for to, m in sends), fields)

    def enter(self, i, events, fields):
        if events not in self.known[i]:
            self.known[i][events] = len(self.done[i])
            self.done[i].append(Done(events, fields))
        return self.known[i][events]

    def step(self, i, at, event):
        """Node i has done `at` and now does `event`."""
        before = self.done[i][at]
        if event not in before.next:
            act = self.nodes[i].receive if event[0] == "R" else self.nodes[i].turn
            fields, sends = act(before.fields, *event[1:])
            events = normal(before.events + (event,) + tuple(("S", to, m) for to, m in sends))
            before.next[event] = self.enter(i, events, fields)
        return before.next[event]

    def possible(self, trace, i):
        node, done = self.nodes[i], self.done[i][trace[i]]
        for thread, times in node.turns.items():
            if done.turns.get(thread, 0) < times:
                for choice in range(node.choices):
                    yield ("T", thread, choice)
        for k, other in enumerate(self.nodes):
            sent = self.done[k][trace[k]].sent.get(node.name, ())
            got = done.got.get(other.name, 0)
            if got < len(sent):
                yield ("R", other.name, sent[got])

    def complete(self):
        """All traces after which nothing is possible, as tuples of indexes into what each node has done."""
        layer, found = {tuple(0 for _ in self.nodes)}, []
        while layer:
            longer = set()
            for trace in layer:
                last = True
                for i in range(len(self.nodes)):
                    for event in self.possible(trace, i):
                        last = False
                        longer.add(trace[:i] + (self.step(i, trace[i], event),) + trace[i + 1 :])
                if last:
                    found.append(trace)
            layer = longer
        return found

    def outside(self, i, at):
        """What is seen of it from other components."""
        mine = self.nodes[i].component
        return tuple(
            e for e in self.done[i][at].events if e[0] != "T" and self.nodes[self.index[e[1]]].component != mine
        )


def count(nodes):
    search = Search(nodes)
    traces = search.complete()
    components = {}
    for i, node in enumerate(nodes):
        components.setdefault(node.component, []).append(i)
    seen = [{} for _ in nodes]  # memory of `outside`
    local = {c: {} for c in components}  # component: skeleton: local traces
    skeletons = set()
    for trace in traces:
        whole = []
        for c, members in components.items():
            part = tuple(trace[i] for i in members)
            for i in members:
                if trace[i] not in seen[i]:
                    seen[i][trace[i]] = search.outside(i, trace[i])
            skeleton = tuple(seen[i][trace[i]] for i in members)
            local[c].setdefault(skeleton, set()).add(part)
            whole.append((c, skeleton))
        skeletons.add(tuple(whole))
    formula = 0
    for whole in skeletons:
        product = 1
        for c, skeleton in whole:
            product *= len(local[c][skeleton])
        formula += product
    locals_ = sum(len(parts) for by in local.values() for parts in by.values())
    return len(traces), formula, len(skeletons), locals_


SYSTEMS = {
    "accumulator": accumulator,
    "chain-2-2": lambda: chain(2, 2),
    "chain-3-3": lambda: chain(3, 3),
    "chain-4-5": lambda: chain(4, 5),
    "ring-2-1": lambda: ring([2, 1], 1),
    "ring-1-2-3": lambda: ring([1, 2, 3], 2),
    "paxos-1-2": lambda: paxos(1, 2, reports=1),
    "paxos-1-2-group": lambda: paxos(1, 2, group=True),
    "paxos-2-2": lambda: paxos(2, 2),
    "paxos-1-3-plain": lambda: paxos(1, 3, flushes=0),
    "paxos-1-3": lambda: paxos(1, 3, reports=1),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or SYSTEMS:
        traces, formula, skeletons, locals_ = count(SYSTEMS[name]())
        print(f"{name}: {traces} traces, {formula} by formula, {skeletons} skeletons, {locals_} local traces", flush=True)
