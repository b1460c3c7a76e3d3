"""The timeline for Chrome's tracing and Perfetto: its slices, counters and flows, and what is left out, by kind."""

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, TextIO

import attrs
import numpy as np

from scopelight.analysis.timeline.events.flows import Flows
from scopelight.analysis.timeline.events.kernels import strands
from scopelight.analysis.timeline.events.time_order import touching, with_last_instant
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.findings import Finding, note
from scopelight.formats.chrome_trace.writer import EXACT, ChromeTraceWriter, number, quoted
from scopelight.formats.columns import Int32, Int64, distinct_values
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.stats import StatValue
from scopelight.formats.xspace.stats_kernels import BYTES
from scopelight.model.slices import Counter

LONGEST_ARGUMENT: Final = 1_000
"""Characters; what all events of a name share is written with each of them."""
MOST_STRANDS: Final = 64
_EVENTS_AT_ONCE: Final = 16_384

BINARY: Final = "left-out-binary-arguments"
MOST_BROKEN_NAMED: Final = 3
"""Tracks that cannot be read of which the reason is told; of more it is the same as a rule."""


class ExportCancelledError(Exception):
    """Nobody wants the file any more."""


@attrs.frozen
class Exported:
    """How many events were written; ``findings`` say how many of each kind were not."""

    events: int
    findings: tuple[Finding, ...]


def export_timeline(
    timeline: Timeline,
    file: TextIO,
    words: Callable[[Finding], str],
    *,
    start_ps: int | None = None,
    end_ps: int | None = None,
    track_ids: Sequence[str] | None = None,
    flows: Flows | None = None,
    report: Callable[[float], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Exported:
    """Write the whole run as it was recorded, or a span of time, or some tracks, derived ones included, to a text file.

    ``words`` are those of a finding: the file says what it does not hold. A slice that reaches into the span is written
    whole. ``flows`` are the timeline's, where they are at hand.
    ``report`` is told which part (0 to 1) is done.

    What is broken is left out and counted, by track with the reason. Raises `LookupError` with a sentence for a track
    that there is not, `ExportCancelledError`, and `FormatError` where all that was asked for is broken.
    """
    if track_ids is None:
        # The lines of Python are on record as well, beside the trace.
        tracks = [track for track in timeline.tracks if track.stored is not None or track.kind == "lines"]
        counters = list(timeline.slices.counters)
    else:
        named = dict.fromkeys(track_ids)
        counters = [counter for each in named if (counter := timeline.counter(each)) is not None]
        tracks = [timeline.track(each) for each in named if timeline.counter(each) is None]
    export = _Export(timeline, ChromeTraceWriter(file), start_ps, end_ps)
    chosen = {track.id for track in tracks} | {counter.id for counter in counters}
    members: Sequence[Track | Counter] = (*timeline.tracks, *timeline.slices.counters)
    for each in members:
        if each.id not in chosen:
            export.left_out["left-out-of-derived-tracks" if track_ids is None else "left-out-on-other-tracks"] += (
                each.events
            )
    export.left_out["left-out-without-time"] += timeline.slices.untimed_events
    whole, done = max(1, sum(track.events for track in tracks)), 0
    for track in tracks:
        for count in export.track(track):
            if is_cancelled():
                raise ExportCancelledError
            done += count
            report(min(1.0, done / whole))
    for counter in counters:
        export.counter(counter)
    asked: Sequence[Track | Counter] = (*tracks, *counters)
    if export.broken and len(export.broken) == sum(each.events > 0 for each in asked):
        raise export.broken[0]
    if tracks:
        export.flows(flows or Flows(timeline))
    return export.finish(words)


class _Export:
    def __init__(self, timeline: Timeline, writer: ChromeTraceWriter, start_ps: int | None, end_ps: int | None) -> None:
        self.left_out: Tally[str] = Tally()
        self._unreadable: list[Finding] = []
        self.broken: list[FormatError] = []
        """Why tracks and counters cannot be read, one for each."""
        self._timeline = timeline
        self._writer = writer
        beyond_ps = timeline.slices.duration_ps + 1
        self._start_ps = 0 if start_ps is None else min(start_ps, beyond_ps)
        self._end_ps = beyond_ps if end_ps is None else with_last_instant(timeline, end_ps)
        self._is_whole = start_ps is None and end_ps is None
        self._pids: dict[str, int] = {}
        self._threads = 0
        self._tids: dict[str, Int32] = {}
        """By track the thread that each slice was written to, 0 where it was not."""
        self._events = 0

    def track(self, track: Track) -> Iterator[int]:
        """Write a track's slices in pieces; gives the number of slices of each piece once it is written."""
        try:
            lane = track.lane()
        except FormatError as error:
            self._leave_out(track, error)
            return
        numbers = (
            np.arange(len(lane), dtype=np.int64)
            if self._is_whole
            else touching(track, self._start_ps, self._end_ps).numbers
        )
        self.left_out["left-out-outside-the-time"] += len(lane) - len(numbers)
        if not len(numbers):
            return
        pid = self._pid(track.section.id, track.section.name)
        tid = self._threads_of(track, numbers, pid)
        members = _Members(self._timeline, track)
        for first in range(0, len(numbers), _EVENTS_AT_ONCE):
            piece = numbers[first : first + _EVENTS_AT_ONCE]
            names, arguments = members.of(piece)
            starts, durations = lane.start_ps[piece].tolist(), lane.duration_ps[piece].tolist()
            self.left_out += members.taken_left_out()
            self._writer.slices(pid, tid[piece].tolist(), names, starts, durations, arguments)
            self._events += len(piece)
            yield len(piece)

    def counter(self, counter: Counter) -> None:
        """Write a counter's values."""
        try:
            values = counter.values()
        except FormatError as error:
            self._leave_out(counter, error)
            return
        inside = (values.start_ps >= self._start_ps) & (values.start_ps < self._end_ps)
        chosen = inside & np.isfinite(values.value)
        self.left_out["left-out-outside-the-time"] += int((~inside).sum())
        self.left_out["left-out-counter-values"] += int((inside & ~chosen).sum())
        section = self._timeline.slices.sections[counter.section]
        name = f"{counter.name} ({counter.unit})" if counter.unit else counter.name
        pid = self._pid(section.id, section.name)
        self._writer.counter(pid, name, values.start_ps[chosen].tolist(), values.value[chosen].tolist())
        self._events += int(chosen.sum())

    def flows(self, flows: Flows) -> None:
        """Write the flows between slices that were written."""
        identity = 0
        for host in flows.hosts:
            pairs, tracks = flows.pairs(host), flows.tracks(host)
            begins = self._written(tracks, pairs.from_track, pairs.from_number)
            ends = self._written(tracks, pairs.into_track, pairs.into_number)
            # Those between two events that are left out are left out with them.
            touched = (begins[1] != 0) | (ends[1] != 0)
            pairs, begins, ends = pairs.some(touched), begins[:, touched], ends[:, touched]
            are_flows = flows.are_flows(host, pairs)
            written = are_flows & (begins[1] != 0) & (ends[1] != 0)
            self.left_out["left-out-flows"] += int((are_flows & ~written).sum())
            columns = (begins[:, written].T.tolist(), ends[:, written].T.tolist())
            for begin, end in zip(*columns, strict=True):
                identity += 1
                self._writer.flow(identity, begin, end)

    def _leave_out(self, broken: Track | Counter, error: FormatError) -> None:
        if len(self.broken) < MOST_BROKEN_NAMED:
            self._unreadable.append(
                note("left-out-of-unreadable-track", count=broken.events, track=broken.name, problem=error.cause)
            )
        else:
            self.left_out["left-out-of-unreadable-tracks"] += broken.events
        self.broken.append(error)

    def _written(self, tracks: Sequence[Track], place: Int32, number: Int32) -> Int64:
        """Process, thread (0 where it was not written) and start of slices, int64[3, n]."""
        found: Int64 = np.zeros((3, len(place)), np.int64)
        order = np.argsort(place, kind="stable")
        bounds = np.searchsorted(place[order], np.arange(len(tracks) + 1)).tolist()
        for track, (first, beyond) in zip(tracks, pairwise(bounds), strict=True):
            if first < beyond and track.id in self._tids:
                rows = order[first:beyond]
                found[0, rows] = self._pids[track.section.id]
                found[1, rows] = self._tids[track.id][number[rows]]
                found[2, rows] = track.lane().start_ps[number[rows]]
        return found

    def finish(self, words: Callable[[Finding], str]) -> Exported:
        """End the file with what it does not hold."""
        left_out = (
            *self._unreadable,
            *(note(kind, count=count) for kind, count in self.left_out.items() if count),
        )
        notes = [("source", "Scopelight")]
        notes.extend((f"left out {number}", words(each)) for number, each in enumerate(left_out, 1))
        warnings = self._timeline.record().findings
        notes.extend((f"warning {number}", words(each)) for number, each in enumerate(warnings, 1))
        self._writer.finish(notes)
        return Exported(self._events, left_out)

    def _threads_of(self, track: Track, numbers: Int64, pid: int) -> Int32:
        """The thread of each slice to be written. What overlaps without nesting gets another one: viewers drop it."""
        lane = track.lane()
        strand = strands(lane.start_ps, lane.duration_ps, MOST_STRANDS)
        for each in range(int(strand[numbers].max()) + 1):
            name = track.name if each == 0 else f"{track.name} (overlapping {each + 1})"
            self._writer.thread(pid, self._threads + each + 1, name)
        tid: Int32 = np.zeros(len(lane), np.int32)
        tid[numbers] = self._threads + 1 + strand[numbers]
        self._threads = int(tid.max())
        self._tids[track.id] = tid
        return tid

    def _pid(self, section: str, name: str) -> int:
        if section not in self._pids:
            self._pids[section] = len(self._pids) + 1
            self._writer.process(self._pids[section], name)
        return self._pids[section]


class _Members:
    """Names and arguments of a track's slices as JSON; what recurs is written once and kept."""

    def __init__(self, timeline: Timeline, track: Track) -> None:
        self._names = timeline.slices.names
        self._lane = track.lane()
        self._left_out: Tally[str] = Tally()
        self._events: Events | None = None
        self._is_broken = False
        try:
            self._events = track.stored.events_as_recorded() if track.stored is not None else None
        except FormatError:
            self._is_broken = True
        self._quoted: dict[int, str] = {}
        self._shared: dict[int, str] = {}
        self._left_out_of_name: dict[int, Tally[str]] = {}

    def taken_left_out(self) -> Tally[str]:
        """What was left out of the slices since this was asked before."""
        left_out, self._left_out = self._left_out, Tally()
        return left_out

    def of(self, numbers: Int64) -> tuple[Sequence[str], Sequence[str]]:
        """The names of some slices, quoted, and the members of their arguments; none where those are broken."""
        if not self._is_broken:
            try:
                return self._with_arguments(numbers)
            except FormatError:
                self._left_out.clear()
        self._left_out["left-out-unreadable-arguments"] += len(numbers)
        names = self._lane.name[numbers].tolist()
        shown = {name: quoted(self._names.shown(name)) for name in set(names)}
        return [shown[name] for name in names], [""] * len(names)

    def _with_arguments(self, numbers: Int64) -> tuple[Sequence[str], Sequence[str]]:
        rows, names = self._lane.event[numbers].astype(np.int64), self._lane.name[numbers]
        distinct, firsts, counts = np.unique(names, return_index=True, return_counts=True)
        for name, row, count in zip(distinct.tolist(), rows[firsts].tolist(), counts.tolist(), strict=True):
            if name not in self._quoted:
                self._learn(name, row)
            for kind, each in self._left_out_of_name[name].items():
                self._left_out[kind] += each * count
        ids = names.tolist()
        shared = [self._shared[name] for name in ids]
        # Of two members of a name the last counts: the event's own.
        arguments = (
            [
                f"{all_have},{own}" if all_have and own else all_have or own
                for all_have, own in zip(shared, self._own(rows), strict=True)
            ]
            if self._events is not None
            else shared
        )
        return [self._quoted[name] for name in ids], arguments

    def _learn(self, name: int, row: int) -> None:
        """Know what all slices of a name have: the name to show, the whole one where it is another, and arguments."""
        left_out: Tally[str] = Tally()
        text, shown = self._names.text(name), self._names.shown(name)
        members = [f'"long_name":{quoted(text)}'] if text != shown else []
        if self._events is not None:
            stats = self._events.events_metadata.stats(int(self._events.metadata[row]))
            members.extend(_member(quoted(stat), value, left_out) for stat, value in stats.items())
        self._quoted[name], self._shared[name] = quoted(shown), ",".join(filter(None, members))
        self._left_out_of_name[name] = left_out

    def _own(self, rows: Int64) -> Sequence[str]:
        """The members of the own arguments of some events."""
        assert self._events is not None
        table = self._events.stat_table(rows)
        self._left_out[BINARY] += int((table.kind == BYTES).sum())
        is_known = (table.kind != 0) & (table.kind != BYTES)
        known = np.flatnonzero(is_known)
        named = table.name[known]
        # Only those that occur: a damaged file may claim many thousands on each of its tracks.
        names = {name: quoted(self._events.stat_names[name]) for name in distinct_values(named).tolist()}
        left_out = self._left_out
        members = [
            # Most are small numbers, and a call for each takes longer than all else.
            f"{names[name]}:{value}"
            if type(value) is int and -EXACT <= value <= EXACT
            else _member(names[name], value, left_out)
            for name, value in zip(named.tolist(), table.values(known), strict=True)
        ]
        before: Int64 = np.zeros(len(is_known) + 1, np.int64)
        np.cumsum(is_known, out=before[1:])
        return [",".join(members[first:beyond]) for first, beyond in pairwise(before[table.offsets].tolist())]


def _member(name: str, value: StatValue, left_out: Tally[str]) -> str:
    """One argument, empty where it is left out."""
    if isinstance(value, bytes):
        left_out[BINARY] += 1
        return ""
    if isinstance(value, str):
        if len(value) > LONGEST_ARGUMENT:
            left_out["left-out-long-arguments"] += 1
            value = value[:LONGEST_ARGUMENT] + "…"
        return f"{name}:{quoted(value)}"
    return f"{name}:{number(value)}"
