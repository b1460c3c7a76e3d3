"""Pieces: the idle time of devices, cut wherever anything changes of which it may be part."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import cut_at, span_at
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.waiting.classes import COMPILE, INPUT, OF_STATE, PYTHON, RUNTIME, UNKNOWN, UNTRACED
from scopelight.analysis.totals.waiting.gaps import Gaps, gaps_of
from scopelight.analysis.totals.waiting.launching import (
    LaunchingThread,
    OtherThread,
    call_stack,
    function_of_program,
    launching_threads,
    other_threads,
)
from scopelight.analysis.totals.waiting.syncs import Waits
from scopelight.formats.columns import Bool, Int32, Int64, distinct_values
from scopelight.model.host.states import HostState
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Stack

NONE = -1
SYNC_SLACK_PS = 20_000_000
"""A gap that begins so near to a wait for a result was exposed by it: the clocks of threads are read apart."""


@attrs.frozen(eq=False, repr=False)
class Pieces:
    """Columns of equal length, by device and time.

    ``step`` is -1 outside of complete steps. ``kind`` is a row of `CLASSES`, ``stack`` of ``stacks``, where the host
    stood, and ``op`` of the ops, whose run the gap lies in. ``opened`` is the stack of the wait for a result that had
    kept the host until the gap began. All are `NONE` where there is none.
    """

    device: Int32
    step: Int32
    start_ps: Int64
    duration_ps: Int64
    kind: Int32
    stack: Int32
    op: Int32
    opened: Int32
    is_exact: Bool
    feeds: Bool
    """Whether the host stood where it feeds the steps, whatever the class is."""
    stacks: Sequence[Stack]
    waits: Sequence[Waits] = ()
    """By thread that launches, when it waited for results."""
    others: Sequence[OtherThread] = ()


def pieces_of(profile: Profile, steps: Steps, frames: UserFrames, text: Callable[[str, int], str | None]) -> Pieces:
    """All idle time of the devices that ran anything; ``text`` is that of a line of a file that frames name."""
    maker = _Maker(profile, steps, frames, text)
    parts = [maker.of_device(device) for device in range(len(profile.executions.devices))]
    for host, threads in maker.threads.items():
        if not any(thread.stands for thread in threads):
            continue
        # Imports what parses Python.
        from scopelight.analysis.totals.waiting.feeding import feeding_of  # noqa: PLC0415

        feeding = feeding_of(profile, host, threads, maker.stacks, frames, text)
        waiting = _waits_by_name(maker.stacks, frames, text)
        for part in parts:
            rows = np.flatnonzero(part.stack != NONE)
            if len(rows) and profile.executions.devices[int(part.device[0])].host == host:
                part.feeds[rows] = feeding[part.stack[rows]]
                rows = rows[waiting[part.stack[rows]] & (part.kind[rows] == PYTHON)]
                part.kind[rows] = _what_is_waited_for(threads, part.start_ps[rows])
                part.kind[part.feeds & (part.kind == PYTHON)] = INPUT
    columns: dict[str, Any] = {
        each.name: np.concatenate([_NOTHING, *(getattr(part, each.name) for part in parts)])
        for each in attrs.fields(Pieces)
        if each.name not in ("stacks", "waits", "others")
    }
    columns |= {name: columns[name].astype(np.bool_) for name in ("is_exact", "feeds")}
    launching = [thread for threads in maker.threads.values() for thread in threads]
    return Pieces(
        **columns,
        stacks=maker.stacks,
        waits=[waits for waits in map(_waits_of, launching) if waits is not None],
        others=other_threads(profile, {thread.line_id for thread in launching}),
    )


def _waits_by_name(stacks: Sequence[Stack], frames: UserFrames, text: Callable[[str, int], str | None]) -> Bool:
    """By stack whether its line waits for arrays: the trace has no event of who waits for those on several devices."""
    lines = [(user[0].path, user[0].line) if user else None for user in map(frames.of, stacks)]
    texts = {line: text(*line) for line in set(lines) if line is not None}
    waiting = {line for line, of_line in texts.items() if of_line and _WAITING in of_line.partition("#")[0]}
    return np.fromiter((line in waiting for line in lines), dtype=np.bool_, count=len(stacks))


def _what_is_waited_for(threads: Sequence[LaunchingThread], moment_ps: Int64) -> Int32:
    """Of a thread that waits while its device has nothing to do: data that is on its way there, else results."""
    kind = np.full(len(moment_ps), OF_STATE[HostState.SYNC], dtype=np.int32)
    for thread in threads:
        if HostState.TRANSFER in thread.anywhere:
            kind[_inside(thread.anywhere[HostState.TRANSFER], moment_ps)] = OF_STATE[HostState.TRANSFER]
    return kind


def _waits_of(thread: LaunchingThread) -> Waits | None:
    waits = thread.spans.get(HostState.SYNC)
    if waits is None or thread.stands is None:
        return None
    stack = thread.stands.at(waits.start_ps).tolist()
    nothing = Spans(*np.zeros((2, 0), dtype=np.int64))
    return Waits(
        waits.start_ps,
        waits.start_ps + waits.duration_ps,
        [thread.stacks[row] if row >= 0 else () for row in stack],
        thread.spans.get(HostState.DISPATCH, nothing),
    )


def _no_pieces() -> Pieces:
    times = np.zeros(0, dtype=np.int64)
    return Pieces(_NOTHING, _NOTHING, times, times, *(_NOTHING,) * 4, *(np.zeros(0, dtype=np.bool_),) * 2, ())


_LAUNCHING = (OF_STATE[HostState.DISPATCH], OF_STATE[HostState.TRANSFER], RUNTIME)
_NOTHING = np.zeros(0, dtype=np.int32)
_WAITING = "block_until_ready("


class _Maker:
    def __init__(
        self, profile: Profile, steps: Steps, frames: UserFrames, text: Callable[[str, int], str | None]
    ) -> None:
        self._profile = profile
        self._steps = steps
        self._frames = frames
        self._text = text
        self._compiling = profile.compiling or Spans(*np.zeros((2, 0), dtype=np.int64))
        self._untraced = profile.untraced or Spans(*np.zeros((2, 0), dtype=np.int64))
        self.threads: Mapping[int, Sequence[LaunchingThread]] = launching_threads(profile)
        self._recorded = frozenset(profile.host_records())
        self.stacks: list[Stack] = []
        self._offset: dict[int, int] = {}
        self._launches: dict[int, int] = {}
        for threads in self.threads.values():
            for thread in threads:
                self._offset[id(thread)] = len(self.stacks)
                self.stacks.extend(thread.stacks)

    def of_device(self, device: int) -> Pieces:
        profile = self._profile
        host = profile.executions.devices[device].host
        threads = self.threads.get(host, ())
        launches_ps = np.sort(np.concatenate([_NOTHING.astype(np.int64), *(each.launches_ps for each in threads)]))
        gaps = gaps_of(profile.executions, profile.runs, device, profile.duration_ps, launches_ps)
        if not len(gaps.start_ps):
            return _no_pieces()
        start_ps, end_ps, gap = self._cut(gaps, threads)
        count = len(start_ps)
        kind = np.full(count, UNKNOWN, dtype=np.int32)
        stack, opened = np.full((2, count), NONE, dtype=np.int32)
        is_exact = np.ones(count, dtype=np.bool_)
        # What holds a run up there is what else the cores do: the script.
        is_on_the_host = profile.executions.devices[device].is_on_the_host
        # Not all runtimes of CPUs say which op is of which run: that the host launched in a gap is sure.
        is_late = gaps.has_launch(launches_ps) if is_on_the_host else gaps.is_late
        which = _thread_of_gaps(gaps, threads)
        for number, thread in enumerate(threads):
            of_thread = which == number
            rows = np.flatnonzero(of_thread[gap] & is_late[gap])
            kind[rows] = self._classes(host, thread, start_ps[rows])
            rows = np.flatnonzero(of_thread[gap] & (is_late[gap] | is_on_the_host))
            stack[rows], is_exact[rows] = self._stand(thread, start_ps[rows])
            rows = np.flatnonzero(of_thread[gap] & ~is_late[gap] & (not is_on_the_host))
            launch_ps = gaps.launch_ps[gap[rows]]
            stack[rows], is_exact[rows] = self._stand(thread, np.where(launch_ps >= 0, launch_ps, start_ps[rows]))
            exposed = of_thread & is_late
            by_sync = np.full(len(gaps.start_ps), NONE, dtype=np.int32)
            by_sync[exposed] = self._opened(thread, gaps.start_ps[exposed])
            rows = np.flatnonzero(by_sync[gap] != NONE)
            opened[rows] = by_sync[gap[rows]]
        rows = np.flatnonzero(~is_late[gap])
        kind[rows] = _launched_class(threads, start_ps[rows])
        rows = np.flatnonzero((stack == NONE) & np.isin(kind, _LAUNCHING))
        stack[rows] = self._launched_at(gaps.op[gap[rows]])
        is_exact[rows] = False
        if any(thread.stands is not None and not thread.stands.is_exact for thread in threads):
            # Between samples the thread was somewhere: where it stood before is the nearest guess.
            rows = np.flatnonzero((stack == NONE) & (kind != UNKNOWN))
            stack[rows] = _last_known(stack)[rows]
            is_exact[rows] = False
        kind[_inside(self._compiling, start_ps)] = COMPILE
        kind[_inside(self._untraced, start_ps)] = UNTRACED
        return Pieces(
            device=np.full(count, device, dtype=np.int32),
            step=step_of(start_ps, self._steps).astype(np.int32),
            start_ps=start_ps,
            duration_ps=end_ps - start_ps,
            kind=kind,
            stack=stack,
            op=np.where(gaps.is_inside[gap] & (not is_on_the_host), gaps.op[gap], NONE).astype(np.int32),
            opened=opened,
            is_exact=is_exact,
            feeds=np.zeros(count, dtype=np.bool_),
            stacks=(),
        )

    def _cut(self, gaps: Gaps, threads: Sequence[LaunchingThread]) -> tuple[Int64, Int64, Int64]:
        """Starts and ends of pieces, and their gaps."""
        steps = self._steps
        borders = [steps.start_ps, steps.start_ps + steps.duration_ps]
        for spans in (self._compiling, self._untraced):
            borders += [spans.start_ps, spans.start_ps + spans.duration_ps]
        for thread in threads:
            borders += thread.borders_ps
        return cut_at(Spans(gaps.start_ps, gaps.end_ps - gaps.start_ps), np.concatenate(borders))

    def _classes(self, host: int, thread: LaunchingThread, moment_ps: Int64) -> Int32:
        """Of several states at once the first counts; in none of them the thread is in Python.

        Where it waits and another thread moves data to the device, which has nothing to do, it waits for that. Where
        nothing was recorded of the host its Python is not known: that may load data as well as anything else.
        """
        is_recorded = thread.stands is not None or host in self._recorded
        kind = np.full(len(moment_ps), PYTHON if is_recorded else UNKNOWN, dtype=np.int32)
        for state in reversed(HostState):
            if state in thread.spans:
                kind[_inside(thread.spans[state], moment_ps)] = OF_STATE[state]
        waits = np.flatnonzero(kind == OF_STATE[HostState.SYNC])
        kind[waits] = _what_is_waited_for([thread], moment_ps[waits])
        return kind

    def _stand(self, thread: LaunchingThread, moment_ps: Int64) -> tuple[Int32, Bool | bool]:
        if thread.stands is None:
            return np.full(len(moment_ps), NONE, dtype=np.int32), True
        row = thread.stands.at(moment_ps)
        stack = np.where(row >= 0, row + self._offset[id(thread)], NONE).astype(np.int32)
        return stack, thread.stands.is_exact_on(row)

    def _launched_at(self, op: Int64) -> Int32:
        """Where the programs of ops are launched, as far as their own stacks say it."""
        ops, programs = self._profile.executions.ops, self._profile.executions.programs
        found = np.full(len(op), NONE, dtype=np.int32)
        for row in distinct_values(op).tolist():
            if row == NONE or not ops[row].stack:
                continue
            program = ops[row].program
            if program not in self._launches:
                name = programs[program].name if program >= 0 else ""
                called = self._called_by_name(program, name) or call_stack(
                    name, [each.stack for each in ops if each.program == program]
                )
                self._launches[program] = len(self.stacks) if called else NONE
                self.stacks.extend([called] if called else [])
            found[op == row] = self._launches[program]
        return found

    def _called_by_name(self, program: int, name: str) -> Stack:
        # Imports what parses Python.
        from scopelight.analysis.totals.waiting.launching_calls import launching_call  # noqa: PLC0415

        runs = self._profile.runs
        launch_ps = runs.launch_ps[(runs.program == program) & (runs.launch_ps >= 0)]
        threads = [thread for of_host in self.threads.values() for thread in of_host]
        return launching_call(function_of_program(name), launch_ps, threads, self._frames, self._text)

    def _opened(self, thread: LaunchingThread, start_ps: Int64) -> Int32:
        waits = thread.spans.get(HostState.SYNC)
        if waits is None or not len(waits.start_ps):
            return np.full(len(start_ps), NONE, dtype=np.int32)
        last = np.searchsorted(waits.start_ps, start_ps + SYNC_SLACK_PS, side="right") - 1
        begin_ps = waits.start_ps[np.maximum(last, 0)]
        is_open = (last >= 0) & (begin_ps + waits.duration_ps[np.maximum(last, 0)] >= start_ps - SYNC_SLACK_PS)
        return np.where(is_open, self._stand(thread, begin_ps)[0], NONE).astype(np.int32)


def _inside(spans: Spans, moment_ps: Int64) -> Bool:
    """Whether each moment lies in one of sorted, disjoint spans."""
    return span_at(spans, moment_ps) >= 0


def _thread_of_gaps(gaps: Gaps, threads: Sequence[LaunchingThread]) -> Int64:
    """By gap the thread that launched what ended it: the one that launched last by then."""
    if len(threads) < 2:
        return np.zeros(len(gaps.start_ps), dtype=np.int64)
    moment_ps = np.where(gaps.launch_ps >= 0, gaps.launch_ps, gaps.end_ps)
    lasts = []
    for thread in threads:
        place = np.searchsorted(thread.launches_ps, moment_ps, side="right") - 1
        lasts.append(np.where(place >= 0, thread.launches_ps[np.maximum(place, 0)], np.iinfo(np.int64).min))
    which: Int64 = np.argmax(np.stack(lasts), axis=0)
    return which


def _last_known(stack: Int32) -> Int32:
    """By piece the last stack that was known by then, else the first that is known."""
    known = np.flatnonzero(stack != NONE)
    if not len(known):
        return stack
    return stack[known[np.maximum(0, np.searchsorted(known, np.arange(len(stack)), side="right") - 1)]]


def _launched_class(threads: Sequence[LaunchingThread], moment_ps: Int64) -> Int32:
    """What was open anywhere on the host while the device waited for something else than the launch."""
    kind = np.full(len(moment_ps), RUNTIME, dtype=np.int32)
    for state in (HostState.TRANSFER, HostState.CALLBACK):
        for thread in threads:
            if state in thread.anywhere:
                kind[_inside(thread.anywhere[state], moment_ps)] = OF_STATE[state]
    return kind
