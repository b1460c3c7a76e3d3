"""The timeline that a report holds: all of it, as fine as there is room for, with the names of what is drawn."""

import functools

import attrs
import numpy as np

from scopelight.analysis.timeline.events.gaps import gap_names, least_gap_ps
from scopelight.analysis.timeline.records import TimelineNames, TimelineRecord, WindowRecord
from scopelight.analysis.timeline.timeline import Timeline, incomplete, open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.analysis.timeline.windows.whole import whole_timeline
from scopelight.analysis.timeline.windows.window import unpacked
from scopelight.formats.errors import FormatError
from scopelight.model.profile import Profile
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.server.views.timeline import named

MOST_BOXES = 50_000
"""A box takes 12 bytes where it is compressed."""
COARSER = 8
"""Where there are more boxes, slices are merged to so many times as long."""
FIRST_PX = 1_000_000
"""Of the whole time, to which they are merged first."""


@attrs.frozen
class HeldTimeline:
    """All of a timeline, and names by the ids that its boxes carry. Slices are merged to ``px_ps``; none where 1.

    What has one of the names ``gap_ids`` on one of ``gap_tracks``, and lasts ``least_gap_ps``, is a gap worth a look.
    """

    record: TimelineRecord
    px_ps: int
    window: WindowRecord
    ids: tuple[int, ...]
    names: TimelineNames
    gap_tracks: tuple[str, ...]
    gap_ids: tuple[int, ...]
    least_gap_ps: int


async def held_timeline(session: Session, run: LoadedRun) -> HeldTimeline | None:
    """The timeline of a run; None where it has none."""
    profile = await session.loading.profile(run.path, run.identity)
    try:
        return await session.work.run("lanes", functools.partial(_held, run, profile))
    except FormatError:
        return None


def _held(run: LoadedRun, profile: Profile) -> HeldTimeline:
    opened = open_timeline(run.path)
    try:
        timeline = opened.completed(profile, derive(opened.slices, profile, run.options))
    except FormatError as error:
        timeline = opened.without_profile(incomplete(error))
    px_ps, window = _finest(timeline)
    ids = tuple(np.unique(unpacked(window.boxes).name).tolist())
    return HeldTimeline(
        timeline.record(),
        px_ps,
        window,
        ids,
        named(timeline, ids),
        gap_tracks=tuple(timeline.derived.gaps if timeline.derived is not None else ()),
        gap_ids=gap_names(timeline),
        least_gap_ps=least_gap_ps(timeline),
    )


def _finest(timeline: Timeline) -> tuple[int, WindowRecord]:
    """The finest resolution that there is room for, and what is drawn at it."""
    px_ps, coarser_ps = 1, max(1, timeline.slices.duration_ps // FIRST_PX)
    while True:
        window = whole_timeline(timeline, px_ps, MOST_BOXES)
        if window is not None:
            return px_ps, window
        px_ps, coarser_ps = coarser_ps, coarser_ps * COARSER
