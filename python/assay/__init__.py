"""assay from Python: specifications of TLA+ checked, evaluated and walked; traces read and written;
clusters of real programs stepped and compared with their specification. See docs/LIBRARY.md.

The declarations are those of assay.h (in _header.py, which `make` writes). Values are as in ITF:
{"#set": [...]}, {"#tup": [...]}, {"#map": [[key, value], ...]}, records as objects."""
import enum
import json
import os
import threading
from collections import namedtuple

import cffi

from ._header import HEADER, SONAME

ffi = cffi.FFI()
ffi.cdef(HEADER)
lib = ffi.dlopen(os.environ.get("ASSAY_LIBRARY", SONAME))


class Error(Exception):
    """What cannot be done, and why."""


class Verdict(enum.IntEnum):
    HOLDS = lib.ASSAY_HOLDS
    VIOLATED = lib.ASSAY_VIOLATED
    DEADLOCK = lib.ASSAY_DEADLOCK
    LIVENESS = lib.ASSAY_LIVENESS
    EVALUATION = lib.ASSAY_EVALUATION
    UNFINISHED = lib.ASSAY_UNFINISHED


class Agreement(enum.IntEnum):
    AGREES = lib.ASSAY_AGREES
    CONFIRMED = lib.ASSAY_CONFIRMED
    DIFFERS = lib.ASSAY_DIFFERS
    IMPOSSIBLE = lib.ASSAY_IMPOSSIBLE
    NOT_DECIDED = lib.ASSAY_NOT_DECIDED


Violation = namedtuple("Violation", "kind property message trace")
Progress = namedtuple("Progress", "distinct generated queued depth seconds")
Step = namedtuple("Step", "state action label violated outside")
Event = namedtuple("Event", "text kind node at_seconds next")
Result = namedtuple("Result", "verdict complete status distinct generated depth seconds violations")
Result.holds = property(lambda self: self.verdict is Verdict.HOLDS)
Conformance = namedtuple("Conformance", "agreement message")


def _text(pointer):
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def _path(path):
    return ffi.NULL if path is None else os.fsencode(path)


def _owned(pointer):
    """A text of the library's, which is ours to free."""
    text = _text(pointer)
    lib.assay_free(pointer)
    return text


class _Said:
    """Where a call says what went wrong."""

    def __init__(self):
        self.at = ffi.new("char **")

    def check(self, good, result=None):
        if not good:
            raise Error(_owned(self.at[0]) or "it failed, and nothing says why")
        return result


def _structure(kind, keep, **members):
    """A structure of assay.h; what it points to lives in `keep`."""
    made = ffi.new("struct " + kind + " *")
    made.size = ffi.sizeof("struct " + kind)
    for name, value in members.items():
        if isinstance(value, (list, tuple)):
            texts = [ffi.new("char[]", os.fsencode(text)) for text in value]
            value = ffi.new("char *[]", texts + [ffi.NULL])
            keep += texts + [value]
        elif isinstance(value, (str, bytes, os.PathLike)):
            value = ffi.new("char[]", os.fsencode(value))
            keep.append(value)
        if value is not None:
            setattr(made, name, value)
    return made


class Spec:
    """A specification with its configuration. Constants: {"N": "3"}, or {"N": "<-Other"}."""

    def __init__(self, path, *, config=None, paths=(), constants=None, invariants=(),
                 no_exec=False, no_deadlock=False):
        keep, said = [], _Said()
        assigned = [name + (str(value) if str(value).startswith("<-") else "=" + str(value))
                    for name, value in (constants or {}).items()]
        options = _structure("assay_options", keep, config=config, paths=list(paths), constants=assigned,
                             invariants=list(invariants), no_exec=no_exec, no_deadlock=no_deadlock)
        self._spec = ffi.NULL
        self._spec = lib.assay_spec_open(_path(path), options, said.at)
        said.check(self._spec != ffi.NULL)

    def close(self):
        spec, self._spec = self._spec, ffi.NULL
        lib.assay_spec_close(spec)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_spec", ffi.NULL) != ffi.NULL:
            self.close()

    def _open(self):
        if self._spec == ffi.NULL:
            raise Error("this specification is closed")
        return self._spec

    def check(self, *, workers=0, random=False, keep_going=False, memory_bytes=0, depth=0, behaviours=0,
              seed=0, seconds=0.0, interpreted=False, on_progress=None, on_print=None):
        """Searches. on_progress gets a Progress and ends the search when it returns True; on_print
        gets what Print says. Ctrl-C ends the search, too."""
        keep, said, violations, raised = [], _Said(), [], []

        def guarded(call, *args):
            try:
                return call(*args)
            except BaseException as why:  # pylint: disable=broad-except; raised where check was called
                raised.append(why)
                return True

        @ffi.callback("int(void *, const struct assay_progress *)")
        def progress(_, p):
            told = Progress(p.distinct, p.generated, p.queued, p.depth, p.seconds)
            return 1 if guarded(on_progress, told) or raised else 0

        @ffi.callback("void(void *, const struct assay_violation *)")
        def violation(_, v):
            trace = Trace(lib.assay_trace_keep(v.trace)) if v.trace != ffi.NULL else None
            violations.append(Violation(_text(v.kind), _text(v.property), _text(v.message), trace))

        @ffi.callback("void(void *, const char *, size_t)")
        def printed(_, text, n):
            guarded(on_print, ffi.unpack(text, n).decode("utf-8", "replace"))

        calls = _structure("assay_callbacks", keep, violation=violation)
        calls.progress = progress if on_progress else ffi.NULL
        calls.print = printed if on_print else ffi.NULL
        options = _structure("assay_check_options", keep, workers=workers, keep_going=keep_going,
                             mode=lib.ASSAY_RANDOM if random else lib.ASSAY_BREADTH_FIRST,
                             memory_bytes=memory_bytes, depth=depth, behaviours=behaviours, seed=seed,
                             seconds=seconds, interpreted=interpreted)
        result = _structure("assay_result", keep)
        verdict = self._interruptible(lambda: lib.assay_check(self._open(), options, calls, result, said.at))
        if raised:
            raise raised[0]
        said.check(verdict >= 0)
        return Result(Verdict(verdict), bool(result.complete), result.status, result.distinct,
                      result.generated, result.depth, result.seconds, violations)

    def _interruptible(self, call):
        """A signal handler of Python's runs in the main thread only: it must not be in the call."""
        if threading.current_thread() is not threading.main_thread():
            return call()
        done = []
        thread = threading.Thread(target=lambda: done.append(call()))
        self._open()
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.1)
        except BaseException:
            self.stop()
            thread.join()
            raise
        return done[0]

    def stop(self):
        """Ends the check that goes on in another thread; when there is none, the next call."""
        lib.assay_stop(self._open())

    def steps(self, state=0):
        """All steps from a state; of none, all initial states."""
        found, said = [], _Said()

        @ffi.callback("int(void *, const struct assay_step *)")
        def each(_, s):
            found.append(Step(s.state, _text(s.action), _text(s.label), _text(s.violated), bool(s.outside)))
            return 0

        said.check(lib.assay_steps(self._open(), state, each, ffi.NULL, said.at) >= 0)
        return found

    def state(self, state):
        """The variables of a state."""
        said = _Said()
        text = lib.assay_state(self._open(), state, said.at)
        said.check(text != ffi.NULL)
        return json.loads(_owned(text))

    def eval(self, expression, state=0):
        """The value of an expression in TLA+, as text: of a constant one, or in a state."""
        said = _Said()
        text = lib.assay_eval(self._open(), state, expression.encode(), said.at)
        said.check(text != ffi.NULL)
        return _owned(text)


class Trace:
    """A behaviour: its states are trace[0], trace[1], ...; labels say what leads to each."""

    def __init__(self, pointer):
        self._trace = pointer

    @classmethod
    def read(cls, path):
        said = _Said()
        pointer = lib.assay_trace_read(_path(path), said.at)
        said.check(pointer != ffi.NULL)
        return cls(pointer)

    def __del__(self):
        lib.assay_trace_free(self._trace)

    def write(self, path):
        """The suffix says how: .json, .itf.json, .tla, .dot, .txt."""
        said = _Said()
        said.check(lib.assay_trace_write(self._trace, _path(path), said.at) == 0)

    def __len__(self):
        return lib.assay_trace_length(self._trace)

    @property
    def loop(self):
        """Where a lasso goes back to, or None."""
        at = lib.assay_trace_loop(self._trace)
        return at if at >= 0 else None

    @property
    def labels(self):
        return [_text(lib.assay_trace_label(self._trace, i)) for i in range(len(self))]

    def __getitem__(self, at):
        size = len(self)
        if not -size <= at < size:
            raise IndexError(at)
        said = _Said()
        text = lib.assay_trace_state(self._trace, at % size, said.at)
        said.check(text != ffi.NULL)
        return json.loads(_owned(text))


class World:
    """The programs of a cluster file, event by event."""

    def __init__(self, path, *, dir=None, seed=1):  # pylint: disable=redefined-builtin
        said = _Said()
        self._world = ffi.NULL
        self._world = lib.assay_world_open(_path(path), _path(dir), seed, said.at)
        said.check(self._world != ffi.NULL)

    def close(self):
        world, self._world = self._world, ffi.NULL
        lib.assay_world_close(world)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_world", ffi.NULL) != ffi.NULL:
            self.close()

    def _open(self):
        if self._world == ffi.NULL:
            raise Error("this world is closed")
        return self._world

    def events(self):
        """What can happen by itself now."""
        found, said = [], _Said()

        @ffi.callback("int(void *, const struct assay_event *)")
        def each(_, e):
            found.append(Event(_text(e.text), _text(e.kind), _text(e.node), e.at_seconds, bool(e.next)))
            return 0

        said.check(lib.assay_world_events(self._open(), each, ffi.NULL, said.at) >= 0)
        return found

    def do(self, event=None):
        """An Event, its text or a fault ("crash n1"); None: what is due next. False: the world is over."""
        said = _Said()
        text = ffi.NULL if event is None else getattr(event, "text", event).encode()
        status = lib.assay_world_do(self._open(), text, said.at)
        return said.check(status >= 0, status == 0)

    @property
    def seconds(self):
        return lib.assay_world_seconds(self._open())

    @property
    def hash(self):
        return lib.assay_world_hash(self._open())

    def observe(self, node, variable):
        """A variable of a program, as a value in TLA+."""
        said = _Said()
        text = lib.assay_world_observe(self._open(), node.encode(), variable.encode(), said.at)
        said.check(text != ffi.NULL)
        return _owned(text)


def conform(mapping, trace, dir, *, config=None, cluster=None, paths=()):  # pylint: disable=redefined-builtin
    """Does a trace of the specification with the programs of a mapping file, and compares."""
    keep, said, message = [], _Said(), ffi.new("char **")
    options = _structure("assay_conform_options", keep, config=config, cluster=cluster, paths=list(paths))
    agreement = lib.assay_conform(_path(mapping), _path(trace), _path(dir), options, message, said.at)
    said.check(agreement >= 0)
    return Conformance(Agreement(agreement), _owned(message[0]))


def version():
    return _text(lib.assay_version())
