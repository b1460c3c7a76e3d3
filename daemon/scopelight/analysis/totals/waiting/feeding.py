"""Feeding: on which lines the script prepares, or waits for, the data of its next step.

Such a line is a generator's or an iterator's own, one on which the thread that launches the steps was found in a queue
or a loader, or one whose value flows into the call of the step and is no result of the step before.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.called import COMPREHENSIONS, SharedLine
from scopelight.analysis.totals.waiting.data_flow import Flow, flow_into, is_printed, parsed
from scopelight.analysis.totals.waiting.launching import (
    LaunchingThread,
    as_program,
    call_stack,
    function_of_program,
)
from scopelight.analysis.totals.waiting.launching_calls import launching_call
from scopelight.analysis.totals.waiting.tracing import (
    entered_by_launches,
    functions_only_traced,
    is_tracing,
    traced_functions,
)
from scopelight.formats.columns import Bool
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame, Stack

_Function = tuple[str, str]
"""A file and the name of a function in it."""
_GENERATED = "<genexpr>"
_ITERATING = ("__next__", "__getitem__", "__getitems__")
_FETCHING = (
    ("/queue.py", ("get",)),
    ("multiprocessing/queues.py", ("get",)),
    ("asyncio/queues.py", ("get",)),
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
    launch = launch_of(profile, threads, frames, text) if record is not None else ()
    if record is None or not launch:
        return np.zeros(len(stacks), dtype=np.bool_)
    sampled = [each for thread in threads for each in record.sampled_stacks(thread.line_id)]
    flows: dict[_Function, Flow | None] = {}
    loop = launch[0]
    inner = {_name(Frame("", 0, each)) for each in _programs_of(profile, launch)}
    for frame in launch:
        # From the call outwards to the loop: what is between them passes on what it was given.
        flow = flow_into(functools.partial(text, frame.path), frame.line, inner)
        inner = {_name(frame)}
        flows[_function(frame)] = flow
        if flow is not None and flow.is_in_loop:
            loop = frame
            break
    else:
        flows = {_function(loop): flows[_function(loop)]}
    feeding = _Feeding(
        loop=_function(loop),
        flows=flows,
        fetching=lines_mostly_in(sampled, frames, is_fetching),
        generators=record.generators,
        traced=traced_functions(profile) | functions_only_traced(sampled, frames),
        entered=entered_by_launches(threads),
        frames=frames,
        text=text,
    )
    feeding.look_at(stacks, sampled)
    return np.fromiter(map(feeding.feeds, stacks), dtype=np.bool_, count=len(stacks))


@attrs.define(eq=False, repr=False)
class _Feeding:
    """What tells whether stacks feed the steps. ``told`` are by line that does several things the functions that were
    seen to be called from it, and ``samples`` how many of its samples were in what feeds, and in what does not."""

    loop: _Function
    flows: Mapping[_Function, Flow | None]
    fetching: Collection[LineKey]
    generators: Collection[_Function]
    traced: Collection[_Function]
    entered: Collection[Stack]
    frames: UserFrames
    text: Callable[[str, int], str | None]
    printed: dict[LineKey, bool] = attrs.field(factory=dict)
    told: dict[LineKey, set[str]] = attrs.field(factory=dict)
    samples: dict[LineKey, Counter[bool]] = attrs.field(factory=dict)

    def look_at(self, stacks: Iterable[Stack], sampled: Iterable[Stack]) -> None:
        """Take note of what is called from lines that do several things."""
        for stack in stacks:
            for row, each in enumerate(stack):
                called = called_from(stack, row) if self._shared(each) is not None else None
                if called is not None:
                    self.told.setdefault((each.path, each.line), set()).add(_name(called))
        for stack in sampled:
            for row, each in enumerate(stack):
                shared, called = self._shared(each), called_from(stack, row)
                if shared is not None and called is not None and _function(called) not in self.flows:
                    feeds = shared.feeds(_name(called), self._told(each))
                    if feeds is not None:
                        self.samples.setdefault((each.path, each.line), Counter())[feeds] += 1

    def feeds(self, stack: Stack) -> bool:
        """Whether the host feeds its steps where it stands on a stack."""
        place = next((row for row, each in enumerate(stack) if _function(each) == self.loop), None)
        if place is None:
            return False
        inside = stack[:place]
        if stack in self.entered or any(_function(each) in self.traced or is_tracing(each) for each in inside):
            return False
        for row, each in enumerate(stack[: place + 1]):
            if self._shared(each) is not None:
                if self._feeds_on_shared(stack, row):
                    return True
            elif (each.path, each.line) in self.fetching or each.line in self._data_lines(each):
                return True
        flow = self.flows.get(self.loop)
        if flow is not None and flow.is_in_loop and stack[place].line not in flow.looped_lines:
            return False
        # What jax calls, and has, makes no data.
        calling = itertools.takewhile(lambda each: not _is_jaxs(each, self.frames), reversed(inside))
        return any(self._iterates(each) for each in calling)

    def _feeds_on_shared(self, stack: Stack, row: int) -> bool:
        """The same of what a line that does several things does at the moment; where nothing tells, it does not."""
        each, called = stack[row], called_from(stack, row)
        shared, line = self._shared(each), (each.path, each.line)
        if shared is None:
            return False
        if called is None:
            itself = shared.feeds_itself(self._told(each))
            if itself is None:
                samples = self.samples.get(line, Counter())
                itself = samples[True] > samples[False]
            return itself or line in self.fetching
        if _function(called) in self.flows:
            # It leads to the launch.
            return False
        feeds = shared.feeds(_name(called), self._told(each))
        if not shared.launches:
            return bool(feeds)
        return feeds is not False and not _leads_to_jax(stack[:row], self.frames)

    def _iterates(self, frame: Frame) -> bool:
        if _name(frame) == _GENERATED and (self._is_beside(frame) or self._is_printed(frame)):
            return False
        return _function(frame) in self.generators or _name(frame) in _ITERATING or is_fetching(frame)

    def _is_beside(self, frame: Frame) -> bool:
        """Whether a line of the loop neither is of the call nor flows into it."""
        flow = self.flows.get(self.loop)
        return (
            flow is not None
            and frame.path == self.loop[0]
            and frame.line in flow.looped_lines
            and frame.line not in flow.data_lines | flow.call_lines
        )

    def _is_printed(self, frame: Frame) -> bool:
        """Whether the statement that a generator is an expression of just prints or logs it."""
        line = frame.path, frame.line
        if line not in self.printed:
            tree = parsed(functools.partial(self.text, frame.path))
            self.printed[line] = tree is not None and is_printed(tree, frame.line)
        return self.printed[line]

    def _shared(self, frame: Frame) -> SharedLine | None:
        flow = self.flows.get(_function(frame))
        return None if flow is None else flow.shared.get(frame.line)

    def _data_lines(self, frame: Frame) -> Collection[int]:
        flow = self.flows.get(_function(frame))
        return () if flow is None else flow.data_lines

    def _told(self, frame: Frame) -> Collection[str]:
        return self.told.get((frame.path, frame.line), ())


def called_from(stack: Stack, row: int) -> Frame | None:
    """What a row of a stack calls; comprehensions, which may have frames of their own, belong to the line."""
    path = stack[row].path
    return next(
        (each for each in reversed(stack[:row]) if each.path != path or _name(each) not in COMPREHENSIONS), None
    )


def _programs_of(profile: Profile, launch: Stack) -> Collection[str]:
    """Names of the functions of programs that are launched from where the busiest one is."""
    ops = profile.executions.ops
    own = {each.program for each in ops if each.program >= 0 and launch[0] in each.stack}
    return {function_of_program(profile.executions.programs[each].name) for each in own}


def _leads_to_jax(called: Stack, frames: UserFrames) -> bool:
    """Whether a line calls jax, itself or through another library: to launch, and to read what was launched.

    Only samples see libraries; line events see the user's frames alone, and lines are to say the same by both.
    """
    libraries = itertools.takewhile(lambda frame: frames.file(frame.path).is_library, reversed(called))
    return any(_is_jaxs(each, frames) for each in libraries)


def _is_jaxs(frame: Frame, frames: UserFrames) -> bool:
    path = frame.path.replace("\\", "/")
    return any(folder in path for folder in _JAX) and frames.file(frame.path).is_library


def loop_of(
    profile: Profile,
    threads: Sequence[LaunchingThread],
    frames: UserFrames,
    text: Callable[[str, int], str | None],
) -> Frame | None:
    """The frame that launches the program with most op time, most often."""
    launch = launch_of(profile, threads, frames, text)
    return launch[0] if launch else None


def launch_of(
    profile: Profile,
    threads: Sequence[LaunchingThread],
    frames: UserFrames,
    text: Callable[[str, int], str | None],
) -> Stack:
    """The user frames from which the program with most op time is launched most often; empty where it is not known."""
    executions, runs = profile.executions, profile.runs
    program_of_op = np.array([each.program for each in executions.ops], dtype=np.int64)
    if not (program_of_op >= 0).any():
        return ()
    sums_ps = np.zeros(len(executions.programs) + 1, dtype=np.int64)
    np.add.at(sums_ps, program_of_op[executions.op], executions.self_ps)
    own = _own_programs(profile, frames) & (sums_ps[:-1] > 0)
    # Ops that run one by one are what a step does between its programs, even where they take longer.
    busiest = int(np.argmax(np.where(own, sums_ps[:-1], -1) if own.any() else sums_ps[:-1]))
    launch_ps = runs.launch_ps[(runs.program == busiest) & (runs.launch_ps >= 0)]
    counted: Counter[Stack] = Counter()
    for thread in threads:
        if thread.stands is not None and thread.stands.is_exact:
            stacks = (thread.stands.stacks[number] for number in thread.stands.at(launch_ps).tolist() if number >= 0)
            counted.update(user for user in map(frames.of, stacks) if user)
    if counted:
        return max(counted, key=lambda user: (counted[user], user[0].path, user[0].line))
    function = function_of_program(executions.programs[busiest].name)
    called = launching_call(function, launch_ps, threads, frames, text)
    if called:
        return called
    ops = [each for each in executions.ops if each.program == busiest]
    return frames.of(call_stack(executions.programs[busiest].name, [each.stack for each in ops]))


def _own_programs(profile: Profile, frames: UserFrames) -> Bool:
    """By program whether it was traced from a function of the user's; ops that run by themselves were not."""
    programs = profile.executions.programs
    functions = [function_of_program(each.name) for each in programs]
    found = np.zeros(len(programs), dtype=np.bool_)
    for op in profile.executions.ops:
        if op.program >= 0 and not found[op.program]:
            found[op.program] = any(
                as_program(_name(each)) == functions[op.program] and not frames.file(each.path).is_library
                for each in op.stack
            )
    return found


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
