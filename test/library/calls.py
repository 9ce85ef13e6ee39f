"""Every call of the Python package, for test/run-library. usage: calls.py DIR, with lockd, worker and cluster.toml"""
import os
import signal
import sys
import tempfile
import threading

import assay

TWO_PHASE = "specs/TwoPhase/TwoPhase.tla"


def raises(text, call, *args, **named):
    try:
        call(*args, **named)
    except assay.Error as why:
        assert text in str(why), why
        return
    raise AssertionError(f"no error that says '{text}'")


def specifications():
    spec = assay.Spec(TWO_PHASE, constants={"Participant": "{a, b}"}, invariants=["verdict # \"abort\""])
    (initial,) = spec.steps()
    assert initial.action == "Initial predicate" and initial.violated is None and not initial.outside
    assert spec.state(initial.state)["verdict"] == "none"
    steps = {step.label: step for step in spec.steps(initial.state)}
    assert "Promise(a)" in steps and steps["Promise(a)"].action == "Promise"
    assert steps["DecideAbort"].violated == "verdict # \"abort\""
    assert spec.eval("outcome[CHOOSE p \\in Participant : TRUE]", steps["DecideAbort"].state) == '"working"'
    assert spec.eval("{1, 2} \\cup {2}") == "{1, 2}"
    raises("unknown name", spec.eval, "nothing")
    raises("there is no state 99", spec.state, 99)
    result = spec.check(workers=1)
    assert not result.holds and result.verdict is assay.Verdict.VIOLATED and result.status == 12
    assert len(result.violations[0].trace) == 2
    several = spec.check(workers=1, keep_going=True)
    assert len(several.violations) > 1 and several.complete
    spec.close()
    spec.close()
    raises("closed", spec.steps)
    raises("None.cfg", assay.Spec, TWO_PHASE, config="specs/TwoPhase/None.cfg")


def callbacks():
    told, printed = [], []
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "Say.tla")
        with open(path, "w", encoding="utf-8") as file:
            file.write("---- MODULE Say ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0 /\\ PrintT(<<\"said\", x>>)\n"
                       "Next == x < 3 /\\ x' = x + 1\n====\n")
        with open(path.replace(".tla", ".cfg"), "w", encoding="utf-8") as file:
            file.write("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n")
        with assay.Spec(path) as spec:
            assert spec.check(on_print=printed.append).distinct == 4
        with assay.Spec(path, no_deadlock=True) as spec:
            assert spec.check().holds
    assert any("said" in text for text in printed), printed
    with assay.Spec(TWO_PHASE) as spec:
        result = spec.check(random=True, on_progress=lambda p: told.append(p) or True)
        assert result.verdict is assay.Verdict.UNFINISHED and told and told[0].generated >= 0

        def wrong(_):
            raise KeyError("in a callback")

        try:
            spec.check(random=True, on_progress=wrong)
            raise AssertionError("nothing was raised")
        except KeyError:
            pass
        threading.Timer(0.2, spec.stop).start()
        assert spec.check(random=True).verdict is assay.Verdict.UNFINISHED
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            spec.check(random=True)
            raise AssertionError("Ctrl-C did not end it")
        except KeyboardInterrupt:
            pass
        assert spec.check(workers=1).distinct == 8832


def traces():
    with assay.Spec(TWO_PHASE, config="specs/TwoPhase/TwoPhaseUnfair.cfg") as spec:
        (violation,) = spec.check(workers=1).violations
    trace = violation.trace
    assert trace.loop is not None and trace[-1] == trace[len(trace) - 1]
    try:
        trace[len(trace)]
        raise AssertionError("there is one state more")
    except IndexError:
        pass
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "t.itf.json")
        trace.write(path)
        assert len(assay.Trace.read(path)) == len(trace)
        raises("suffix", trace.write, os.path.join(place, "t.pdf"))
    raises("nothing.json", assay.Trace.read, "nothing.json")


def jobs_side_by_side():
    found = []

    def job(spec, want):
        with assay.Spec(spec) as opened:
            found.append(opened.check(workers=1).distinct == want)

    threads = [threading.Thread(target=job, args=args)
               for args in ((TWO_PHASE, 8832), ("specs/TwoPhase/TwoPhaseHasty.tla", 146))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True, True]


def run(cluster):
    with assay.World(cluster, seed=7) as world:
        kinds = set()
        for _ in range(40):
            events = world.events()
            kinds |= {event.kind for event in events}
            if not events:
                break
            first = next((event for event in events if event.next), events[0])
            if not world.do(first):
                break
        token = world.observe("s", "lock.token")
        raises("no node", world.observe, "x", "lock.token")
        raises("nothing", world.observe, "s", "nothing")
        raises("", world.do, "deliver 99999")
        before = world.seconds
        assert world.do("crash s")
        assert all(event.node != "s" or event.kind != "deliver" for event in world.events())
        world.do()
        assert world.seconds >= before
        return token, kinds, world.hash


def worlds(cluster):
    first, second = run(cluster), run(cluster)
    assert first == second, (first, second)
    assert int(first[0]) > 0 and "deliver" in first[1], first
    raises("nothing.toml", assay.World, "nothing.toml")


assert assay.version()
specifications()
callbacks()
traces()
jobs_side_by_side()
worlds(os.path.join(sys.argv[1], "cluster.toml"))
print("all calls")
