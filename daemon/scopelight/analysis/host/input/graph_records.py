"""Records of the queues and operations that a script's input is made of."""

from typing import Literal

import attrs

QueueKind = Literal["queue", "processes", "asyncio", "torch", "grain", "grain-thread", "grain-processes"]
"""A queue of Python's between threads, processes or the tasks of an event loop, the batches of torch's loader that are
ready, the elements of grain's that threads have read ahead, those of its prefetching thread, and those of its
processes."""

OperationKind = Literal[
    "grain", "torch", "tf.data", "threads", "processes", "tasks", "coroutine", "function", "line", "script", "device"
]
"""An operation of a library; threads of the script that fill a queue, or are a pool's; processes that do so; tasks of
the event loop in which the steps are launched; a coroutine of the user's that is awaited there, or a function that
makes data where it is asked for; a line of the loop that does so itself, named by its statement; the loop that asks for
it; what it is made for."""

Certainty = Literal["sure", "likely"]

SuspectRule = Literal["steps", "loop", "queues", "work"]
"""Why an operation is suspected: none is suspect in more steps; else what devices waited for longest was the loop of
the steps, of whose operations it is; or the queues before and behind it show it; or none of both is known, and it works
longest, or alone."""


@attrs.frozen(slots=True)
class InputQueue:
    """A queue in which a thread was seen to wait, by its sizes whenever threads were sampled in the window.

    ``empty_gets`` and ``full_gets`` of ``gets`` found it so, one get for each complete step, of those at which its size
    was read; ``step_held`` is what it held then, None where that was not read. ``times_ps`` and ``held`` are its curve.
    It is_nearest to the steps of all. The place is that of the line that takes from it. ``producers`` and ``consumers``
    are the names of threads, or of the functions that tasks run.
    """

    key: str
    kind: QueueKind
    name: str
    capacity: int | None
    mean_held: float | None
    use_ratio: float | None
    gets: int
    empty_gets: int
    full_gets: int
    is_nearest: bool
    path: str | None
    file: str | None
    line: int | None
    producers: tuple[str, ...]
    consumers: tuple[str, ...]
    step_held: tuple[int | None, ...]
    times_ps: tuple[int, ...]
    held: tuple[int, ...]


@attrs.frozen(slots=True)
class InputOperation:
    """An operation on data. ``inputs`` are the keys of those that it reads from; ``queue`` that of the queue behind it.

    ``stages`` are the keys of the stages that belong to it, ``stage`` that of the longest. ``self_ps`` is the sum of
    their self times on its threads, ``busy_ratio`` that sum of the time of its ``workers`` in the window: threads,
    processes, or tasks of one thread (none where the thread that asks for data makes it). ``suspect_steps`` is in how
    many steady steps its stages worked longest while devices waited for input. ``core_ratio`` is how much of a core
    each worker used, ``core_waiting_ratio`` for how much of the time each waited for one: None where not known.
    ``thread_ids`` and ``process_ids`` are the system's numbers of those that work for it. ``runs_in`` is the key of the
    operation in whose processes it runs, where its time is not known. ``suspected``: it holds the others up.
    """

    key: str
    kind: OperationKind
    name: str
    path: str | None
    file: str | None
    line: int | None
    inputs: tuple[str, ...]
    queue: str | None = None
    stage: str | None = None
    self_ps: int | None = None
    workers: int | None = None
    busy_ratio: float | None = None
    core_ratio: float | None = None
    core_waiting_ratio: float | None = None
    thread_ids: tuple[int, ...] = ()
    process_ids: tuple[int, ...] = ()
    runs_in: str | None = None
    suspected: Certainty | None = None
    stages: tuple[str, ...] = ()
    suspect_steps: int = 0
