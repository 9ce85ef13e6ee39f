"""A specification in a test suite: pytest test_twophase.py, with SPECS naming the directory of TwoPhase.tla."""
import os

import assay
import pytest

SPECS = os.environ.get("SPECS", ".")


@pytest.fixture(name="spec")
def two_phase():
    with assay.Spec(os.path.join(SPECS, "TwoPhase.tla"), constants={"Participant": "{a, b, c}"}) as spec:
        yield spec


def test_the_protocol_holds(spec):
    assert spec.check().holds


def test_the_hasty_coordinator_is_found_out():
    with assay.Spec(os.path.join(SPECS, "TwoPhaseHasty.tla")) as spec:
        result = spec.check(workers=1)
    (violation,) = result.violations
    assert violation.property == "Validity"
    assert violation.trace.labels[-1] == "HastyCommit"
    assert violation.trace[-1]["verdict"] == "commit"


def decide(promises, participants):
    """The coordinator of a program: whether it commits now."""
    return set(promises) == set(participants)


def test_the_coordinator_decides_as_the_specification_does(spec):
    """In every state that can be reached, the program commits just when DecideCommit is possible."""
    seen, queue = {}, [step.state for step in spec.steps()]
    while queue:
        number = queue.pop()
        state = spec.state(number)
        if str(state) in seen:
            continue
        steps = spec.steps(number)
        seen[str(state)] = True
        queue += [step.state for step in steps]
        if state["verdict"] == "none":
            possible = any(step.action == "DecideCommit" for step in steps)
            assert decide(state["promises"]["#set"], "abc") == possible, state
    assert len(seen) == spec.check(workers=1).distinct
