#!/usr/bin/env python3
"""A second, slow implementation of what `assay rank` reports, for the specifications of this directory.

It knows the specifications by hand-written Python, not by reading TLA+, and computes coverage, diversity, events, depth, states and
violations again from the walks that `--walks-out` wrote; it also checks that every walk is one: that it starts in an initial state,
takes only steps there are, and ends only where it may.

usage: oracle.py SPEC.tla REPORT.json WALKS.jsonl
"""
import json
import os
import sys


def place(lines, line_text, needle):
    """line:column of the needle in the one line that contains line_text."""
    found = [i for i, line in enumerate(lines) if line_text in line]
    assert len(found) == 1, (line_text, found)
    column = lines[found[0]].index(needle)
    return "%d:%d" % (found[0] + 1, column + 1)


class Ladder:
    def __init__(self, lines, constants):
        self.max_t = int(constants["MaxTimeouts"])
        self.max_r = int(constants["MaxRequests"])
        self.then = place(lines, "mode' = IF", '"leader"')
        self.otherwise = place(lines, "mode' = IF", '"candidate"')
        self.busy = place(lines, '\\/ mode = "leader"', 'mode = "leader"')
        self.other = place(lines, '\\/ mode # "leader"', 'mode # "leader"')
        self.cases = [place(lines, "mode' = CASE", text) for text in ('"leader"', '"idle"', '"done"')]
        self.next = [place(lines, "Next ==", text) for text in ("Timeout", "Request", "Finish")]
        self.arms = [self.then, self.otherwise, self.busy, self.other] + self.cases + self.next

    def read(self, state):
        return (int(state["t"]), int(state["r"]), state["mode"].strip('"'))

    def initial(self):
        return [(0, 0, "idle")]

    def expand(self, state):
        """Successors inside the model as (label, state), and the arms taken on the way."""
        t, r, mode = state
        steps, arms = [], set()
        if t < self.max_t:
            arms |= {self.then if t + 1 >= 3 else self.otherwise, self.next[0]}
            steps.append(("Timeout", (t + 1, r, "leader" if t + 1 >= 3 else "candidate")))
        if r < self.max_r:
            arms |= {self.busy if mode == "leader" else self.other, self.next[1]}
            steps.append(("Request", (t, r + 1, "busy" if mode == "leader" else mode)))
        if mode == "busy":
            which = {1: 0, 2: 1}.get(r, 2)
            arms |= {self.cases[which], self.next[2]}
            steps.append(("Finish", (t, r, ["leader", "idle", "done"][which])))
        return steps, arms

    def violates(self, state):
        return False


class Buffer:
    def __init__(self, lines, constants):
        self.senders = constants["Senders"].strip("{}").replace(" ", "").split(",")
        self.bound = int(constants["MaxBuffer"])
        self.max_sent = int(constants["MaxSent"])
        self.full = place(lines, "IF buffer >= 2", "buffer' = buffer + 1")
        self.room = place(lines, "ELSE buffer'", "buffer' = buffer + 1")
        self.few = place(lines, "Drop == ", "lost < 3")
        self.none = place(lines, "Drop == ", "sent = 0")
        self.next = [place(lines, "Next ==", text) for text in ("\\E s", "Take", "Drop", "Rest")]
        self.arms = [self.full, self.room, self.few, self.none] + self.next

    def read(self, state):
        return (int(state["sent"]), int(state["buffer"]), int(state["lost"]))

    def initial(self):
        return [(0, 0, 0), (0, 0, 1)]

    def expand(self, state):
        sent, buffer, lost = state
        steps, arms = [], set()

        def step(label, target, taken):
            if target[1] <= self.bound:
                arms.update(taken)
                steps.append((label, target))

        for sender in self.senders:
            if sent < self.max_sent:
                arm = self.full if buffer >= 2 else self.room
                step("Send(%s)" % sender, (sent + 1, buffer + 1, lost), [arm, self.next[0]])
        if buffer > 0:
            step("Take", (sent, buffer - 1, lost), [self.next[1]])
        if buffer > 1 and lost < 3:
            step("Drop", (sent, buffer - 1, lost + 1), [self.few, self.next[2]])
        if buffer > 1 and sent == 0:
            step("Drop", (sent, buffer - 1, lost + 1), [self.none, self.next[2]])
        step("Rest", state, [self.next[3]])
        return steps, arms

    def violates(self, state):
        return state[2] >= 3


SPECS = {"Ladder": (Ladder, {}), "Buffer": (Buffer, {"Senders": "{a}", "MaxBuffer": "1", "MaxSent": "2"})}


def recompute(model, walks, steps_max):
    """The figures of one point, and what is wrong with its walks."""
    arms, actions, events, states, wrong = set(), set(), set(), set(), []
    depth = violations = steps = 0
    for number, walk in sorted(walks.items()):
        path = [(label, model.read(state)) for label, state in walk]
        if path[0][1] not in model.initial():
            wrong.append("walk %d starts in %s" % (number, path[0][1]))
        for (_, before), (label, after) in zip(path, path[1:]):
            if (label, after) not in model.expand(before)[0] or before == after:
                wrong.append("walk %d: %s from %s to %s is no step" % (number, label, before, after))
            actions.add(label.split("(")[0])
            events.add(label)
        steps += len(path) - 1
        last = path[-1][1]
        violated = model.violates(last)
        expanded = not violated and len(path) - 1 < steps_max
        for i, (_, state) in enumerate(path):
            if i + 1 < len(path) or expanded:
                arms |= model.expand(state)[1]
        if expanded and any(target != last for _, target in model.expand(last)[0]):
            wrong.append("walk %d ends in %s, where there are steps" % (number, last))
        violations += violated
        states |= {state for _, state in path}
        depth = max(depth, len({state for _, state in path}) - 1)
    return {
        "coverage": len(arms), "branches": len(model.arms), "missed": sorted(set(model.arms) - arms), "diversity": len(actions),
        "events": len(events), "depth": depth, "states": len(states), "violations": violations, "steps": steps, "walks": len(walks),
    }, wrong


def main():
    spec, report_path, walks_path = sys.argv[1:]
    name = os.path.basename(spec)[:-4]
    with open(spec) as file:
        lines = file.read().split("\n")
    with open(report_path) as file:
        report = json.load(file)
    walks = {}
    with open(walks_path) as file:
        for line in file:
            row = json.loads(line)
            walk = walks.setdefault(row["point"], {}).setdefault(row["walk"], [])
            assert row["step"] == len(walk), row
            walk.append((row["label"], row["state"]))
    make, defaults = SPECS[name]
    bad = points = 0
    for configuration in report["configurations"]:
        previous = None
        for point in configuration["points"]:
            points += 1
            constants = dict(defaults, **configuration["instance"], **point["budget"])
            want, wrong = recompute(make(lines, constants), walks[point["point"]], report["steps_max"])
            got = {key: point[key] for key in want}
            got["missed"] = sorted(text.split(":", 1)[1] for text in point["missed"])
            if got != want:
                wrong.append("reported %s, computed %s" % (got, want))
            order = (-want["coverage"], -want["diversity"], want["depth"])
            if report["sort"] == "coverage,diversity,depth" and previous is not None and order < previous:
                wrong.append("is ranked below %s" % (previous,))
            previous = order
            for text in wrong:
                print("# %s: %s" % (constants, text))
            bad += len(wrong)
    print("%s rank/oracle-%s: %d points" % ("not ok" if bad or not points else "ok", name, points))


main()
