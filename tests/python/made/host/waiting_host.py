"""A made run of four steps of 30 ms on one device, each of which waits 20 ms for a loader, and where its host stood."""

from types import SimpleNamespace

import attrs
import numpy as np

from made.profiles import module, profile
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.analysis.totals.frames import LineOptions
from scopelight.formats.host_recording.reader import RecordedThread
from scopelight.formats.xspace.reader import LinePlace
from scopelight.model.host.stands import Stands
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.slices import SliceNames, Slices
from scopelight.program.hlo.frames import Frame

MS = 1_000_000_000
LINE_ID = 7
TRAIN, LOADER = "/home/me/train.py", "/home/me/loader.py"
SOURCE = [
    "",
    "",
    "def train(batches):",
    "    while True:",
    "        x = next(batches)",
    "        y = step(x)",
    "        log(y)",
]


def _text(file, line):
    return SOURCE[line - 1] if file == TRAIN and line <= len(SOURCE) else None


OPTIONS = LineOptions(roots=("/home/me",), text=_text, indented_text=_text)
QUEUE = Frame("/usr/lib/python3.12/queue.py", 171, "Queue.get")
MAIN = Frame(TRAIN, 20, "<module>")
NEXT, STEP, READ = (Frame(TRAIN, line, "train") for line in (5, 6, 7))
PREPARE, LOAD = Frame(LOADER, 2, "load"), Frame(LOADER, 3, "load")
STACKS = [
    (NEXT, MAIN),
    (PREPARE, NEXT, MAIN),
    (QUEUE, LOAD, NEXT, MAIN),
    (STEP, MAIN),
    (READ, MAIN),
]
AT_NEXT, AT_PREPARE, AT_LOAD, AT_STEP, AT_READ = range(len(STACKS))
WHOLE_MS = 120


def stands_in_steps(*, is_exact=True):
    """In each step of 30 ms: 10 of reading the last result, 1 on the loader's call, 3 and 13 in it, 3 launching."""
    rows = [
        (at * 30 + begin, stack)
        for at in range(4)
        for begin, stack in ((0, AT_READ), (10, AT_NEXT), (11, AT_PREPARE), (14, AT_LOAD), (27, AT_STEP))
    ]
    start_ms, stack = np.array(rows, dtype=np.int64).T
    return Stands(start_ms * MS, stack, STACKS, is_exact)


def waiting_profile(*, stands=None, devices=1):
    """The device runs in the first 10 ms of each step; launched 1 ms before. Others do so 2 ms later each."""
    runs = [(0, (at * 30 + 2 * device) * MS, 10 * MS, device) for device in range(devices) for at in range(4)]
    launch_ps = [max(0, at * 30 - 1) * MS for _ in range(devices) for at in range(4)]
    made = profile([module("jit_step", "1", (), ())], runs, launch_ps=launch_ps)
    states = [(HostState.SYNC, at * 30, at * 30 + 10) for at in range(4)]
    states += [(HostState.DISPATCH, at * 30 - 2, at * 30) for at in range(1, 5)]
    state, start_ms, end_ms = np.array(states, dtype=np.int64).T
    threads = ThreadStates(0, LINE_ID, "python", state.astype(np.int8), start_ms * MS, end_ms * MS)
    record = SimpleNamespace(
        threads={LINE_ID: RecordedThread("MainThread", 41)},
        cpu=None,
        garbage={},
        generators=frozenset(),
        stands=lambda _: stands if stands is not None else stands_in_steps(),
        stands_of=lambda *_: None,
        sampled_stacks=lambda _: [STACKS[AT_LOAD]],
    )
    return attrs.evolve(
        made,
        executions=attrs.evolve(made.executions, lane_places=(LinePlace(made.path, 0),)),
        duration_ps=WHOLE_MS * MS,
        host_states=[threads],
        host_records=lambda: {0: record},
        device_steps=(),
    )


def waiting_lookups(made=None, options=OPTIONS):
    """The lookups of its timeline, which has no stored lanes."""
    made = waiting_profile() if made is None else made
    slices = Slices([], [], [], SliceNames(), made.duration_ps)
    timeline = Timeline(slices)
    return Lookups(timeline.completed(made, derive(slices, made, options)), options)
