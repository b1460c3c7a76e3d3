"""Runs made by hand of which it is known what their devices waited for: executions, launches, and what threads did."""

from types import SimpleNamespace

import attrs
import numpy as np

from made.executions import executions_of, profile_of_executions
from made.profiles import spans
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.analysis.totals.waiting.pieces import pieces_of
from scopelight.formats.host_recording.reader import RecordedThread
from scopelight.model.executions import Op, ProgramRuns
from scopelight.model.host.stands import Stands
from scopelight.model.host.states import ThreadStates
from scopelight.program.hlo.frames import Frame

ROOT = "/home/me"
TRAIN, LOADER = f"{ROOT}/train.py", f"{ROOT}/loader.py"
LIBRARY = "/usr/lib/python3.12/queue.py"
OPTIONS = LineOptions(roots=(ROOT,))


def frame(line, function="train", path=TRAIN):
    return Frame(path, line, function)


def at(*lines):
    """A stack of lines of the script, innermost first."""
    return tuple(frame(line) for line in lines)


def op(name="add", *stack, program=0):
    return Op(name, "", program, stack=stack)


def user_frames(options=OPTIONS):
    return UserFrames(options, None)


def steps(*edges):
    """Steps from (start, end)."""
    found = spans(*edges)
    return Steps("annotation", "train", found.start_ps, found.duration_ps)


def stands(*rows, stacks, is_exact=True):
    """Where a thread stood, from (start, row of ``stacks``)."""
    start, stack = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return Stands(start, stack, stacks, is_exact)


@attrs.frozen
class Thread:
    """A thread: ``states`` are (state, start, end), ``stood`` its stands; ``samples`` stacks that it was sampled on."""

    line_id: int = 7
    name: str = "MainThread"
    states: tuple = ()
    stood: Stands | None = None
    garbage: tuple = ()
    samples: tuple = ()


def idle_profile(
    rows,
    *threads,
    duration_ps,
    launches=(),
    runs=None,
    devices=None,
    kind="tpu",
    compiling=None,
    untraced=None,
    generators=(),
    has_record=True,
    step_marks=(),
):
    """Executions from (op, start, end) of ``runs``, which the host launched at ``launches``, -1 where it is not known.

    What each thread was in, and where it stood, is in ``threads``.
    """
    executions = executions_of(rows, runs=runs, devices=devices, kind=kind)
    count = len(launches)
    zeros = np.zeros(count, dtype=np.int64)
    record = SimpleNamespace(
        recordings=(),
        threads={each.line_id: RecordedThread(each.name, None) for each in threads},
        cpu=None,
        garbage={
            each.line_id: np.array(each.garbage, dtype=np.int64).reshape(-1, 2).T for each in threads if each.garbage
        },
        generators=frozenset(generators),
        coroutines=frozenset(),
        queues=(),
        operations=(),
        stands=lambda states: next(each.stood for each in threads if each.line_id == states.line_id),
        stands_of=lambda line_id, *_: next(each.stood for each in threads if each.line_id == line_id),
        sampled_stacks=lambda line_id: next(each.samples for each in threads if each.line_id == line_id),
    )
    return attrs.evolve(
        profile_of_executions(executions, duration_ps),
        runs=ProgramRuns(
            zeros.astype(np.int32),
            zeros.astype(np.int32),
            np.arange(count, dtype=np.uint64),
            zeros,
            zeros,
            np.array(launches, dtype=np.int64),
        ),
        compiling=compiling,
        untraced=untraced,
        step_marks=step_marks,
        host_states=[_states(each) for each in threads],
        host_records=lambda: {0: record} if has_record else {},
    )


def _states(thread):
    state, start, end = np.array(thread.states, dtype=np.int64).reshape(-1, 3).T
    return ThreadStates(0, thread.line_id, thread.name, state.astype(np.int8), start, end)


def pieces(profile, of_steps=None, *, options=OPTIONS, source=()):
    """The pieces of a profile; ``source`` are the lines of the script."""
    return pieces_of(
        profile,
        of_steps if of_steps is not None else steps(),
        user_frames(options),
        lambda path, line: source[line - 1] if path == TRAIN and line <= len(source) else None,
    )
