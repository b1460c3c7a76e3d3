"""The record of a run's host: what was recorded of its threads beside the traces, on the clock of the profile."""

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np

from scopelight.findings import Finding, warning
from scopelight.formats.columns import Int64, distinct_values
from scopelight.formats.errors import FormatError
from scopelight.formats.host_recording.reader import (
    PAUSE,
    HostRecording,
    LineRows,
    RecordedOperation,
    RecordedQueue,
    RecordedThread,
    SampleRows,
    read_recording,
)
from scopelight.model.host.line_stands import numbered, walk
from scopelight.model.host.sample_stands import sample_stands
from scopelight.model.host.stands import Stands, ended, joined, known_outside
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.host.thread_cpu import HostCpu, host_cpu
from scopelight.model.host.thread_ids import line_id_of
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame, Stack


@attrs.define(eq=False, repr=False)
class _Part:
    """One recording, looked into when it is asked for. ``zero_ns`` and ``untraced`` as the record has them."""

    recording: HostRecording
    zero_ns: int
    untraced: Spans | None
    _frames: dict[tuple[int, int], Frame] = attrs.field(factory=dict)
    _with_home: dict[int, Stands] = attrs.field(factory=dict)

    @functools.cached_property
    def told(self) -> Mapping[int, Stands]:
        """By thread where it stood by the interpreter's own events."""
        return self._told(self.recording.lines, ())

    def _told(self, lines: LineRows, launching: Collection[int]) -> Mapping[int, Stands]:
        if not len(lines.ns):
            return {}
        idents, number = numbered(lines.thread)
        at, nodes = walk(lines, number, len(idents), launching)
        stacks: list[Stack] = []
        for caller, code, line in nodes:
            # Callers have smaller numbers than what they call.
            stacks.append((self._frame(code, line), *(stacks[caller] if caller >= 0 else ())))
        start_ps = (lines.ns - self.zero_ns) * 1000
        found = {}
        for of, ident in enumerate(idents.tolist()):
            rows = np.flatnonzero(number == of)
            found[line_id_of(ident)] = Stands(np.maximum.accumulate(start_ps[rows]), at[rows], stacks, is_exact=True)
        return found

    def _told_with_home(self, line_id: int, states: ThreadStates) -> Stands:
        """Where a thread stood: while coroutines that launch programs wait, it stands in them, and what it does
        meanwhile is as if they had called it."""
        if line_id not in self._with_home:
            stands, lines = self.told[line_id], self.recording.lines
            awaiting = set(lines.code[lines.kind == PAUSE].tolist())
            launching = self._launching(stands, states, awaiting) if awaiting else frozenset()
            if launching:
                of_thread = [each for each in set(lines.thread.tolist()) if line_id_of(each) == line_id]
                rows = np.flatnonzero(np.isin(lines.thread, of_thread))
                stands = self._told(LineRows(*(each[rows] for each in attrs.astuple(lines, recurse=False))), launching)[
                    line_id
                ]
            self._with_home[line_id] = stands
        return self._with_home[line_id]

    def _launching(self, stands: Stands, states: ThreadStates, awaiting: Collection[int]) -> frozenset[int]:
        """Codes of coroutines that were on the stack when programs were launched, but for those that fill queues."""
        codes = self.recording.codes
        numbers = {(codes[each].file, codes[each].function): each for each in awaiting}
        filling = {each.function[:2] for each in self.recording.operations if each.fills and each.function is not None}
        found: set[int] = set()
        for row in set(stands.at(states.of(HostState.DISPATCH)[0]).tolist()):
            functions = {(each.path, each.function) for each in stands.stacks[row]} if row >= 0 else set()
            if not functions & filling:
                found |= {numbers[each] for each in functions & numbers.keys()}
        return frozenset(found)

    @functools.cached_property
    def sampled(self) -> Mapping[int, SampleRows]:
        """By thread its samples."""
        samples = self.recording.samples
        columns = (samples.due_ns, samples.taken_ns, samples.thread, samples.stack)
        rows = {ident: np.flatnonzero(samples.thread == ident) for ident in set(samples.thread.tolist())}
        return {line_id_of(ident): SampleRows(*(each[rows[ident]] for each in columns)) for ident in rows}

    @functools.cached_property
    def garbage(self) -> Mapping[int, SampleRows]:
        """By thread its collections of garbage, as samples of where it stood meanwhile."""
        start_ns, end_ns, thread, stack = self.recording.garbage.T
        rows = {ident: np.flatnonzero(thread == ident) for ident in set(thread.tolist())}
        columns = (start_ns, end_ns, thread, stack)
        return {line_id_of(ident): SampleRows(*(each[rows[ident]] for each in columns)) for ident in rows}

    @functools.cached_property
    def stacks(self) -> Sequence[Stack]:
        """Those of samples."""
        return [tuple(self._frame(*each) for each in stack) for stack in self.recording.stacks]

    def stands(self, line_id: int, states: ThreadStates | None) -> Stands | None:
        """Where a thread stood; None where nothing was recorded of it."""
        if line_id in self.told:
            return self.told[line_id] if states is None else self._told_with_home(line_id, states)
        samples = self.sampled.get(line_id)
        if samples is None:
            return None
        stands = sample_stands(samples, self.garbage.get(line_id), self.zero_ns, self.stacks, states, self.untraced)
        return known_outside(stands, self._absences(samples))

    def _absences(self, samples: SampleRows) -> Spans:
        """When a thread was not there: others were sampled meanwhile. Another one may go by its ident afterwards.

        It begins and ends half way between a round in which the thread was and one in which it was not.
        """
        rounds_ns = self._rounds_ns
        present = np.searchsorted(rounds_ns, samples.taken_ns)
        gaps = np.flatnonzero(np.diff(present) > 1)
        last, first = present[gaps], present[gaps + 1]
        start_ns = (rounds_ns[last] + rounds_ns[last + 1]) // 2
        end_ns = (rounds_ns[first - 1] + rounds_ns[first]) // 2
        return Spans((start_ns - self.zero_ns) * 1000, (end_ns - start_ns) * 1000)

    @functools.cached_property
    def _rounds_ns(self) -> Int64:
        """When all threads that were there were sampled."""
        return distinct_values(self.recording.samples.taken_ns)

    def _frame(self, code: int, line: int) -> Frame:
        if (code, line) not in self._frames:
            of = self.recording.codes[code]
            self._frames[code, line] = Frame(of.file, line, of.function)
        return self._frames[code, line]


@attrs.frozen(eq=False, repr=False)
class SeenQueue:
    """A queue, and its sizes whenever threads were sampled; ``capacity`` is 0 where it is not bounded.

    ``ends`` are by thread, as its line in the trace goes, and function how often it was seen to wait there.
    """

    queue: RecordedQueue
    ends: Mapping[tuple[int, str], int]
    time_ps: Int64
    held: Int64
    capacity: Int64


@attrs.define(eq=False, repr=False)
class HostRecord:
    """The recordings of one process, one for each of its traces, in the order of time.

    ``zero_ns`` is when the profile's time is 0, in ns since the epoch, and ``untraced`` what lies between its traces.
    Threads go by the ids of their lines in the trace.
    """

    recordings: Sequence[HostRecording]
    zero_ns: int
    untraced: Spans | None = None

    @functools.cached_property
    def _parts(self) -> Sequence[_Part]:
        return [_Part(each, self.zero_ns, self.untraced) for each in self.recordings]

    @functools.cached_property
    def cpu(self) -> HostCpu | None:
        """How long its threads were on a core; None where no clock was read."""
        return host_cpu(self.recordings, self.zero_ns)

    @functools.cached_property
    def threads(self) -> Mapping[int, RecordedThread]:
        """Every thread that was seen."""
        return {line_id_of(ident): thread for each in self.recordings for ident, thread in each.threads.items()}

    def stands(self, states: ThreadStates) -> Stands | None:
        """Where a thread of the trace stood; None where nothing was recorded of it."""
        return self.stands_of(states.line_id, states)

    def stands_of(self, line_id: int, states: ThreadStates | None = None) -> Stands | None:
        """The same of any thread, whose states need not be known."""
        of_parts = [each.stands(line_id, states) for each in self._parts]
        found = []
        for row, stands in enumerate(of_parts):
            end_ps = self._end_ps(row, goes_on=row + 1 < len(of_parts) and of_parts[row + 1] is not None)
            if stands is not None:
                found.append(stands if end_ps is None else ended(stands, end_ps))
        if not found:
            return None
        return joined(found) if self.untraced is None else known_outside(joined(found), self.untraced)

    def _end_ps(self, row: int, *, goes_on: bool) -> int | None:
        """When it is known no more where a thread of a recording stands; None where the next one ``goes_on``."""
        clocks, following = self.recordings[row].clocks, self.recordings[row + 1 : row + 2]
        if not clocks or not following or (goes_on and following[0].clocks[:1] == clocks[-1:]):
            return None
        return (clocks[-1][0] - self.zero_ns) * 1000

    @functools.cached_property
    def generators(self) -> frozenset[tuple[str, str]]:
        """Files and names of the functions that are generators."""
        return frozenset(
            (code.file, code.function) for each in self.recordings for code in each.codes if code.is_generator
        )

    @functools.cached_property
    def coroutines(self) -> frozenset[tuple[str, str]]:
        """The same of those that are coroutines, or asynchronous generators."""
        return frozenset(
            (code.file, code.function) for each in self.recordings for code in each.codes if code.is_awaiting
        )

    def sampled_stacks(self, line_id: int) -> Iterator[Stack]:
        """The stacks that a thread was sampled on, with those of libraries in them, one for each sample."""
        for part in self._parts:
            samples = part.sampled.get(line_id)
            if samples is not None:
                yield from (part.stacks[number] for number in samples.stack.tolist())

    @functools.cached_property
    def queues(self) -> Sequence[SeenQueue]:
        """The queues in which threads were seen to wait."""
        longest = max((each.queues for each in self.recordings), key=len, default=())
        sizes = np.concatenate([np.zeros((0, 4), dtype=np.int64), *(each.queue_sizes for each in self.recordings)])
        found = []
        for number, queue in enumerate(longest):
            # A queue keeps its number: the process counts them once for all of its recordings.
            time_ns, _, held, capacity = sizes[sizes[:, 1] == number].T
            ends: dict[tuple[int, str], int] = {}
            for recording in self.recordings:
                for (ident, function), times in (
                    recording.queues[number].ends.items() if number < len(recording.queues) else ()
                ):
                    ends[line_id_of(ident), function] = max(times, ends.get((line_id_of(ident), function), 0))
            found.append(SeenQueue(queue, ends, (time_ns - self.zero_ns) * 1000, held, capacity))
        return found

    @functools.cached_property
    def operations(self) -> Sequence[RecordedOperation]:
        """Of what the script's input was made, as the last recording that tells of it has it."""
        return next((each.operations for each in reversed(self.recordings) if each.operations), ())

    @functools.cached_property
    def garbage(self) -> Mapping[int, tuple[Int64, Int64]]:
        """By thread when Python collected garbage: starts and ends."""
        rows = np.concatenate([np.zeros((0, 4), dtype=np.int64), *(each.garbage for each in self.recordings)])
        starts_ps, ends_ps = (rows[:, 0] - self.zero_ns) * 1000, (rows[:, 1] - self.zero_ns) * 1000
        of = {ident: rows[:, 2] == ident for ident in set(rows[:, 2].tolist())}
        return {line_id_of(ident): (starts_ps[rows], ends_ps[rows]) for ident, rows in of.items()}


def read_record(
    files: Sequence[Path], zero_ns: int, untraced: Spans | None = None
) -> tuple[HostRecord | None, Sequence[Finding]]:
    """What was recorded beside the traces of a process, between which it was ``untraced``; and what cannot be read.

    None where none of the files can be.
    """
    recordings: list[HostRecording] = []
    findings = []
    for file in files:
        try:
            recordings.append(read_recording(file))
        except FormatError:
            findings.append(warning("host-recording-damaged", file=file.name))
    recordings.sort(key=lambda each: each.clocks[0][0] if each.clocks else 0)
    return (HostRecord(recordings, zero_ns, untraced) if recordings else None), findings
