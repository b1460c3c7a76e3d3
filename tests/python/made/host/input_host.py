"""A made run whose steps wait for a queue that a thread fills: where both stood, and what the queue held."""

from types import SimpleNamespace

import attrs
import numpy as np

from made.host.waiting_host import LINE_ID, MS, OPTIONS, SOURCE, TRAIN, WHOLE_MS, waiting_profile
from scopelight.formats.host_recording.reader import RecordedQueue, RecordedThread
from scopelight.model.host.record import SeenQueue
from scopelight.model.host.stage_events import StageEvents
from scopelight.model.host.stands import Stands
from scopelight.program.hlo.frames import Frame

READER_ID = 8
READER = "/home/me/reader.py"
READER_SOURCE = [
    "def read(ready):",
    "    while True:",
    "        x = decode()",
    "        y = augment(x)",
    "        ready.put(y)",
]
GET_SOURCE = [*SOURCE[:4], "        x = ready.get()", *SOURCE[5:]]
GET_OPTIONS = attrs.evolve(
    OPTIONS,
    text=lambda file, line: next(
        (
            text[line - 1]
            for path, text in ((TRAIN, GET_SOURCE), (READER, READER_SOURCE))
            if path == file and 0 < line <= len(text)
        ),
        None,
    ),
)
MAIN = Frame(TRAIN, 20, "<module>")
GET, STEP, LOG = (Frame(TRAIN, line, "train") for line in (5, 6, 7))
DECODE, AUGMENT, PUT = (Frame(READER, line, "read") for line in (3, 4, 5))
QUEUE_GET = Frame("/usr/lib/python3.12/queue.py", 171, "Queue.get")
QUEUE_PUT = Frame("/usr/lib/python3.12/queue.py", 140, "Queue.put")
MAIN_STACKS = [(GET, MAIN), (STEP, MAIN), (LOG, MAIN)]
READER_STACKS = [(DECODE,), (AUGMENT,), (PUT,)]


def stands(stacks, *rows, is_exact=True):
    """Of rows of (from when, in ms, the row of the stack)."""
    start_ms, stack = np.array(rows, dtype=np.int64).T
    return Stands(start_ms * MS, stack, stacks, is_exact)


def main_stands(**how):
    """In each step of 30 ms: 10 of reading the last result, 17 at the queue, 3 launching."""
    rows = [(at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 2), (10, 0), (27, 1))]
    return stands(MAIN_STACKS, *rows, **how)


def reader_stands(**how):
    """In each step of 30 ms: 12 of decoding, 18 of augmenting, of which the last puts in no time."""
    rows = [(at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 0), (12, 1), (29, 2))]
    return stands(READER_STACKS, *rows, **how)


def queue(sizes, *, capacity=4, ends=None, kind="queue", id_=99):
    """A queue of the sizes at the times, in ms."""
    time_ms = np.array(list(sizes), dtype=np.int64)
    held = np.array(list(sizes.values()), dtype=np.int64)
    ends = {(LINE_ID, "get"): 20} if ends is None else ends
    return SeenQueue(
        RecordedQueue(kind, "Queue", 1, id_), ends, time_ms * MS, held, np.full(len(held), capacity, dtype=np.int64)
    )


STARVED = dict.fromkeys(range(5, WHOLE_MS, 10), 0)


def input_profile(
    *, queues=None, operations=(), reader=None, main=None, files=(), stages=None, profile=None, sampled=None
):
    """The profile with a record of both threads; ``sampled`` are stacks of samples of them."""
    main = main or main_stands()
    reader = reader or reader_stands()
    queues = [queue(STARVED)] if queues is None else queues
    of_threads = {LINE_ID: main, READER_ID: reader}
    sampled = {LINE_ID: [(QUEUE_GET, GET, MAIN)], READER_ID: [(DECODE,), (AUGMENT,)], **(sampled or {})}
    record = SimpleNamespace(
        threads={LINE_ID: RecordedThread("MainThread", 41), READER_ID: RecordedThread("reader", 42)},
        cpu=None,
        garbage={},
        generators=frozenset(),
        coroutines=frozenset(),
        stands=lambda _: main,
        stands_of=lambda line_id, *_: of_threads.get(line_id),
        sampled_stacks=lambda line_id: sampled.get(line_id, []),
        queues=queues,
        operations=operations,
        recordings=[
            SimpleNamespace(
                codes=[SimpleNamespace(file=each) for each in files],
                has_lines=main.is_exact,
                is_overloaded=False,
                python="3.12.1",
                dark=[],
                clocks=[],
                quiet=[],
            )
        ],
    )
    made = waiting_profile(stands=main) if profile is None else profile
    events = stages or StageEvents()
    return attrs.evolve(made, host_records=lambda: {0: record}, stage_events=lambda: events)
