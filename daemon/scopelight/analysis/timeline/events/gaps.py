"""Gaps: the idle time of devices as events, why each was, what ended it, and the way from one to the next."""

from collections.abc import Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.timeline.events.places import event_place
from scopelight.analysis.timeline.records import GapFound, GapPart
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.spans import GAPS
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.charging import WaitingOfScope, charge_waiting
from scopelight.analysis.totals.waiting.pieces import NONE, Pieces
from scopelight.formats.columns import Int32
from scopelight.phrase import Phrase
from scopelight.program.hlo.frames import Frame, Stack

LEAST_OF_STEP: Final = 100
"""The part of a step that is worth a look."""
LEAST_PS: Final = 50_000_000
"""The same where there are no steps."""


def gaps_of_track(timeline: Timeline, track: Track) -> Int32:
    """The numbers of the slices of a track in which a device ran nothing, ascending."""
    if timeline.derived is None or track.id not in timeline.derived.gaps:
        return np.zeros(0, dtype=np.int32)
    return np.flatnonzero(np.isin(track.lane().name, gap_names(timeline))).astype(np.int32)


def gap_names(timeline: Timeline) -> tuple[int, ...]:
    """The ids of the names that gaps have."""
    return tuple(timeline.slices.names.add(name) for name in GAPS)


def least_gap_ps(timeline: Timeline) -> int:
    """From which length on a gap is worth a look."""
    steps = timeline.derived.steps if timeline.derived is not None else None
    return LEAST_PS if steps is None else max(1, int(np.median(steps.duration_ps)) // LEAST_OF_STEP)


def long_gaps(timeline: Timeline, track: Track) -> Int32:
    """Those that are worth a look."""
    gaps = gaps_of_track(timeline, track)
    return gaps[track.lane().duration_ps[gaps] >= least_gap_ps(timeline)]


def gap_beside(timeline: Timeline, section: str | None, at_ps: int, *, is_after: bool) -> GapFound:
    """The first gap that begins after a time, or the last before it, of the device of a section.

    Of the first device where the section is none. After the last gap comes the first. Raises `LookupError` with a
    sentence where no device is known.
    """
    track = _track_of_gaps(timeline, section)
    gaps, least_ps = long_gaps(timeline, track), least_gap_ps(timeline)
    if not len(gaps):
        return GapFound(None, track.section.name, least_ps)
    start_ps = track.lane().start_ps[gaps]
    place = np.searchsorted(start_ps, at_ps, side="right") if is_after else np.searchsorted(start_ps, at_ps) - 1
    return GapFound(event_place(timeline, track, int(gaps[place % len(gaps)])), track.section.name, least_ps)


def _track_of_gaps(timeline: Timeline, section: str | None) -> Track:
    tracks = [timeline.track(each) for each in (timeline.derived.gaps if timeline.derived is not None else ())]
    of_section = [track for track in tracks if track.section.id == section]
    if not tracks:
        raise LookupError(Phrase("No device ran anything in this profile, or it is still being read."))
    return (of_section or tracks)[0]


@attrs.frozen(eq=False, repr=False)
class Gap:
    """Why one gap was: the ``pieces`` inside it, and those charged to lines."""

    pieces: Pieces
    waiting: WaitingOfScope
    duration_ps: int

    @property
    def parts(self) -> Sequence[tuple[GapPart, Frame | None]]:
        """By class and line, the longest first; they sum to the gap. Their places are left to be filled in."""
        waiting = self.waiting
        found = [
            (GapPart(kind, time_ps, None, line.basis), line.frame)
            for line in waiting.lines.values()
            for kind, time_ps in line.classes_ps.items()
            if time_ps
        ]
        on_no_line: list[tuple[GapPart, Frame | None]] = []
        for kind, time_ps in waiting.classes_ps.items():
            rest_ps = time_ps - sum(line.classes_ps.get(kind, 0) for line in waiting.lines.values())
            on_no_line.extend([(GapPart(kind, rest_ps, None, None), None)] if rest_ps else [])
        unseen_ps = self.duration_ps - waiting.idle_ps
        on_no_line.extend([(GapPart("unknown", unseen_ps, None, None), None)] if unseen_ps else [])
        return sorted(
            [*found, *on_no_line],
            key=lambda each: (-each[0].time_ps, each[1].path if each[1] else "", each[1].line if each[1] else 0),
        )

    @property
    def exposed_by(self) -> Frame | None:
        """The line of the wait for a result that had kept the host until most of it began."""
        waited: dict[tuple[str, int], int] = {}
        for line in self.waiting.lines.values():
            for key, time_ps in line.exposed_ps.items():
                waited[key] = waited.get(key, 0) + time_ps
        return self.waiting.exposing[max(waited, key=lambda key: waited[key])] if waited else None

    def stack(self, centre: Centre) -> Stack:
        """The stack of the longest piece of its longest part; of a part inside a run the op's own."""
        parts = self.parts
        frame = parts[0][1] if parts else None
        for row in np.argsort(-self.pieces.duration_ps, kind="stable").tolist():
            number = int(self.pieces.stack[row])
            if number != NONE and frame is not None and centre.frames.of(self.pieces.stacks[number])[:1] == (frame,):
                return self.pieces.stacks[number]
        user = [(time_ps, stack) for stack, time_ps in self.waiting.stacks.items() if stack[:1] == (frame,)]
        return max(user, key=lambda each: each[0])[1] if user else ()


def gap_of(centre: Centre, device: int, start_ps: int, duration_ps: int) -> Gap:
    """Why a device was idle from a time on, for so long."""
    pieces, end_ps = centre.pieces, start_ps + duration_ps
    ends_ps = pieces.start_ps + pieces.duration_ps
    rows = np.flatnonzero((pieces.device == device) & (pieces.start_ps < end_ps) & (ends_ps > start_ps))
    columns = {
        name: getattr(pieces, name)[rows]
        for name in ("device", "step", "kind", "stack", "op", "opened", "is_exact", "feeds")
    }
    begin_ps = np.maximum(pieces.start_ps[rows], start_ps)
    inside = attrs.evolve(
        pieces, **columns, start_ps=begin_ps, duration_ps=np.minimum(ends_ps[rows], end_ps) - begin_ps
    )
    waiting = charge_waiting(inside, np.arange(len(rows)), centre.frames, centre.parts)
    return Gap(inside, waiting, duration_ps)
