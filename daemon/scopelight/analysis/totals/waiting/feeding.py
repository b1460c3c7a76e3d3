"""Feeding: on which lines the script prepares, or waits for, the data of its next step.

Such a line is a generator's or an iterator's own, one on which the thread that launches the steps was found in a queue
or a loader, or one whose value flows into the call of the step and is no result of the step before.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.data_flow import Flow, flow_into
from scopelight.analysis.totals.waiting.launching import LaunchingThread, call_stack
from scopelight.formats.columns import Bool
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame, Stack

_Function = tuple[str, str]
"""A file and the name of a function in it."""
_ITERATING = ("__next__", "__getitem__", "__getitems__")
_FETCHING = (
    ("/queue.py", ("get",)),
    ("multiprocessing/queues.py", ("get",)),
    ("multiprocessing/pool.py", ("get", "next", "wait")),
    ("concurrent/futures/_base.py", ("result", "result_iterator", "as_completed", "wait")),
    ("torch/utils/data/dataloader.py", ("__next__",)),
    ("tensorflow/python/data/ops/iterator_ops.py", ("__next__", "get_next")),
)
"""Ends of files of libraries, and functions there in which a thread waits for data."""
_JAX = ("/jax/", "/jaxlib/")
"""Folders of jax, whose arrays have items as well."""


def is_fetching(frame: Frame) -> bool:
    """Whether a frame of a library is one in which a thread waits for data."""
    return is_of(frame, _FETCHING) or (_name(frame) in _ITERATING and "/grain/" in frame.path.replace("\\", "/"))


def is_of(frame: Frame, functions: Iterable[tuple[str, Collection[str]]]) -> bool:
    """Whether a frame is of one of functions, given by how their file ends and by their names."""
    path = frame.path.replace("\\", "/")
    return any(_name(frame) in names and path.endswith(end) for end, names in functions)


def feeding_of(
    profile: Profile,
    host: int,
    threads: Sequence[LaunchingThread],
    stacks: Sequence[Stack],
    frames: UserFrames,
    text: Callable[[str, int], str | None],
) -> Bool:
    """By stack whether the host feeds its steps there; ``text`` is that of a line of a file, with its indentation."""
    record = profile.host_records().get(host)
    launch = _launch_of(profile, threads, frames) if record is not None else ()
    if record is None or not launch:
        return np.zeros(len(stacks), dtype=np.bool_)
    sampled = (each for thread in threads for each in record.sampled_stacks(thread.line_id))
    fetching = lines_mostly_in(sampled, frames, is_fetching)
    flows: dict[_Function, Flow | None] = {}
    loop = launch[0]
    for frame in launch:
        # From the call outwards to the loop: what is between them passes on what it was given.
        flow = flow_into(functools.partial(text, frame.path), frame.line)
        flows[_function(frame)] = flow
        if flow is not None and flow.is_in_loop:
            loop = frame
            break
    else:
        flows = {_function(loop): flows[_function(loop)]}
    found = (_feeds(stack, _function(loop), flows, fetching, record.generators, frames) for stack in stacks)
    return np.fromiter(found, dtype=np.bool_, count=len(stacks))


def _feeds(
    stack: Stack,
    loop: _Function,
    flows: Mapping[_Function, Flow | None],
    fetching: Collection[LineKey],
    generators: Collection[_Function],
    frames: UserFrames,
) -> bool:
    place = next((row for row, each in enumerate(stack) if _function(each) == loop), None)
    if place is None:
        return False
    inside = stack[:place]
    for row, each in enumerate(stack[: place + 1]):
        if (each.path, each.line) in fetching:
            return True
        flow = flows.get(_function(each))
        if flow is not None and each.line in flow.data_lines:
            return True
        # In an argument of the call: what it calls itself leads to the launch.
        if flow is not None and row and each.line in flow.call_lines and _function(stack[row - 1]) not in flows:
            return not _leads_to_jax(stack[:row], frames)
    return any(
        _function(each) in generators or (_name(each) in _ITERATING and not _is_jaxs(each, frames)) or is_fetching(each)
        for each in inside
    )


def _leads_to_jax(called: Stack, frames: UserFrames) -> bool:
    """Whether a line calls jax, itself or through another library: to launch, and to read what was launched.

    Only samples see libraries; line events see the user's frames alone, and lines are to say the same by both.
    """
    libraries = itertools.takewhile(lambda frame: frames.file(frame.path).is_library, reversed(called))
    return any(_is_jaxs(each, frames) for each in libraries)


def _is_jaxs(frame: Frame, frames: UserFrames) -> bool:
    path = frame.path.replace("\\", "/")
    return any(folder in path for folder in _JAX) and frames.file(frame.path).is_library


def loop_of(profile: Profile, threads: Sequence[LaunchingThread], frames: UserFrames) -> Frame | None:
    """The frame that launches the program with most op time, most often."""
    launch = _launch_of(profile, threads, frames)
    return launch[0] if launch else None


def _launch_of(profile: Profile, threads: Sequence[LaunchingThread], frames: UserFrames) -> Stack:
    """The user frames from which the program with most op time is launched most often; empty where it is not known."""
    executions, runs = profile.executions, profile.runs
    program_of_op = np.array([each.program for each in executions.ops], dtype=np.int64)
    if not (program_of_op >= 0).any():
        return ()
    sums_ps = np.zeros(len(executions.programs) + 1, dtype=np.int64)
    np.add.at(sums_ps, program_of_op[executions.op], executions.self_ps)
    busiest = int(np.argmax(sums_ps[:-1]))
    launch_ps = runs.launch_ps[(runs.program == busiest) & (runs.launch_ps >= 0)]
    counted: Counter[Stack] = Counter()
    for thread in threads:
        if thread.stands is not None and thread.stands.is_exact:
            stacks = (thread.stands.stacks[number] for number in thread.stands.at(launch_ps).tolist() if number >= 0)
            counted.update(user for user in map(frames.of, stacks) if user)
    if counted:
        return max(counted, key=lambda user: (counted[user], user[0].path, user[0].line))
    ops = [each for each in executions.ops if each.program == busiest]
    return frames.of(call_stack(executions.programs[busiest].name, [each.stack for each in ops]))


def lines_mostly_in(stacks: Iterable[Stack], frames: UserFrames, is_one: Callable[[Frame], bool]) -> frozenset[LineKey]:
    """Lines of the user's on which most samples were in a frame of a library that ``is_one``."""
    seen: Counter[LineKey] = Counter()
    found: Counter[LineKey] = Counter()
    for stack in stacks:
        user = frames.of(stack)
        if user:
            key = user[0].path, user[0].line
            seen[key] += 1
            inner = stack[: next(row for row, each in enumerate(stack) if each == user[0])]
            found[key] += any(is_one(each) for each in inner)
    return frozenset(key for key, number in found.items() if 2 * number > seen[key])


def _function(frame: Frame) -> _Function:
    return frame.path, frame.function


def _name(frame: Frame) -> str:
    return frame.function.rpartition(".")[2]
