"""Where an event is, and the event that is somewhere."""

from typing import Final

import numpy as np

from scopelight.analysis.timeline.records import EventPlace
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.phrase import Phrase

LONGEST_NAME: Final = 1_000
"""Characters of a name; on TPU it is the text of a whole instruction."""


def event_place(timeline: Timeline, track: Track, event: int) -> EventPlace:
    """Where the event of a number is. Raises `LookupError` with a sentence where the track has none of that number."""
    lane = track.lane()
    if not 0 <= event < len(lane):
        raise LookupError(
            Phrase(
                "{track} has {count} events, and none of the number {number}.",
                track=track.name,
                count=len(lane),
                number=event,
            )
        )
    return EventPlace(
        track=track.id,
        event=event,
        depth=int(lane.depth[event]),
        start_ps=int(lane.start_ps[event]),
        duration_ps=int(lane.duration_ps[event]),
        name=cut_name(timeline.slices.names.text(int(lane.name[event]))),
    )


def shown_name(timeline: Timeline, track: Track, event: int) -> str:
    """What the event of a number is shown as."""
    return timeline.slices.names.shown(int(track.lane().name[event]))


def nearest_event(track: Track, depth: int, at_ps: int) -> int:
    """The number of the event of a depth that holds a time, or is nearest to it.

    Raises `LookupError` with a sentence where the track has no event at that depth.
    """
    lane = track.lane()
    events = track.index().of_depth(depth)
    if not len(events):
        raise LookupError(Phrase("{track} has no event in row {row}.", track=track.name, row=depth + 1))
    begun = np.searchsorted(lane.start_ps, at_ps, side="right")
    # A number of another type would have all events converted first.
    after = int(np.searchsorted(events, np.int32(begun)))
    before, after = int(events[max(0, after - 1)]), int(events[min(after, len(events) - 1)])
    behind_ps = at_ps - int(lane.start_ps[before] + lane.duration_ps[before])
    return before if behind_ps <= lane.start_ps[after] - at_ps else after


def cut_name(name: str) -> str:
    """A name, with the end of one that is far too long left out."""
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
