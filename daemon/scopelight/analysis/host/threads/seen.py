"""Threads as the trace and the recording beside it have them."""

from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import covered_ps, without
from scopelight.formats.columns import Int64
from scopelight.model.host.record import HostRecord
from scopelight.model.host.stands import Stands
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans, merge_spans
from scopelight.program.hlo.frames import Stack


@attrs.frozen(eq=False, repr=False)
class SeenThread:
    """A thread of a host: by its line in the trace, with what either has of it. ``launches`` are those of programs.

    ``ordinal`` counts lines of one id, where the trace has several.
    """

    host: int
    line_id: int
    ordinal: int
    name: str
    native_id: int | None
    states: ThreadStates | None
    stands: Stands | None
    garbage: Spans
    launches: int

    @property
    def is_of_python(self) -> bool:
        """Whether the recording has it."""
        return self.stands is not None


def seen_threads(profile: Profile) -> Sequence[SeenThread]:
    """Those of which anything is known, those that launch first, then those of Python."""
    records = profile.host_records()
    states: dict[tuple[int, int], list[ThreadStates | None]] = {}
    for each in profile.host_states:
        states.setdefault((each.host, each.line_id), []).append(each)
    recorded = [(host, line_id) for host, record in records.items() for line_id in record.threads]
    found = [
        _seen(records.get(host), host, line_id, ordinal, of_trace)
        for host, line_id in dict.fromkeys([*recorded, *states])
        for ordinal, of_trace in enumerate(states.get((host, line_id), [None]))
    ]
    return sorted(found, key=lambda each: (-each.launches, not each.is_of_python, each.name))


def _seen(
    record: HostRecord | None, host: int, line_id: int, ordinal: int, of_trace: ThreadStates | None
) -> SeenThread:
    thread = None if record is None else record.threads.get(line_id)
    garbage = None if record is None else record.garbage.get(line_id)
    return SeenThread(
        host=host,
        line_id=line_id,
        ordinal=ordinal,
        name=(thread.name if thread is not None else "") or (of_trace.name if of_trace is not None else ""),
        native_id=None if thread is None else thread.native_id,
        states=of_trace,
        stands=None if record is None else record.stands_of(line_id, of_trace),
        garbage=merge_spans(*garbage) if garbage is not None else Spans(*np.zeros((2, 0), dtype=np.int64)),
        launches=_launches(of_trace) if thread is not None or record is None else 0,
    )


def _launches(states: ThreadStates | None) -> int:
    return 0 if states is None else len(merge_spans(*states.of(HostState.DISPATCH)).start_ps)


@attrs.frozen(eq=False, repr=False)
class Cells:
    """When a thread stood on which stack, within a window: sorted and disjoint; ``stack`` are rows of ``stacks``."""

    start_ps: Int64
    end_ps: Int64
    stack: Int64
    stacks: Sequence[Stack]

    def times_ps(self) -> Mapping[int, int]:
        """By stack how long the thread stood there."""
        sums = np.zeros(len(self.stacks), dtype=np.int64)
        np.add.at(sums, self.stack, self.end_ps - self.start_ps)
        return {int(row): int(sums[row]) for row in np.flatnonzero(sums)}

    def within(self, spans: Spans) -> Int64:
        """By cell how long of it lies in sorted, disjoint spans."""
        return covered_ps(spans, self.start_ps, self.end_ps)


def cells_of(stands: Stands, window_ps: int) -> Cells:
    """Where a thread stood in the window, as far as it is known."""
    start_ps = np.clip(stands.start_ps, 0, window_ps)
    end_ps = np.append(start_ps[1:], window_ps)
    keep = (end_ps > start_ps) & (stands.stack >= 0)
    return Cells(start_ps[keep], end_ps[keep], stands.stack[keep], stands.stacks)


def exclusive_spans(thread: SeenThread) -> Iterator[tuple[HostState, Spans]]:
    """The spans of each state, without those of states that count before it."""
    taken: Spans | None = None
    for state in HostState:
        own = merge_spans(*thread.states.of(state)) if thread.states is not None else None
        if state == HostState.GARBAGE:
            own = thread.garbage
        if own is None or not len(own.start_ps):
            continue
        yield state, own if taken is None else without(own, taken)
        taken = own if taken is None else _union(own, taken)


def _union(one: Spans, other: Spans) -> Spans:
    parts = (one, other)
    return merge_spans(
        np.concatenate([each.start_ps for each in parts]),
        np.concatenate([each.start_ps + each.duration_ps for each in parts]),
    )
