"""The table twin of what is drawn: the events of a span of time as rows, in the order of their start."""

from collections.abc import Sequence
from typing import Final

from scopelight.analysis.timeline.events.places import event_place, shown_name
from scopelight.analysis.timeline.events.time_order import TrackEvents, some_events, touching, with_last_instant
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.records import EventTable, TableRow
from scopelight.analysis.timeline.track import Track

MOST_ROWS: Final = 2_000
"""Of one answer; a table asks for what it shows."""


def event_table(
    lookups: Lookups, track_ids: Sequence[str], start_ps: int, end_ps: int, first: int, count: int
) -> EventTable:
    """Up to ``count`` of the events of a span on some tracks, from the place ``first`` among them all on.

    Raises `LookupError` with a sentence for a track that there is not.
    """
    timeline = lookups.timeline
    end_ps = with_last_instant(timeline, end_ps)
    tracks = [timeline.track(each) for each in dict.fromkeys(track_ids) if timeline.counter(each) is None]
    touched = [touching(track, start_ps, end_ps) for track in tracks]
    # All that began before the span comes before all that begins in it.
    sides = (
        [TrackEvents(each.track, each.track.lane().start_ps, each.reaching) for each in touched],
        [TrackEvents(each.track, each.track.lane().start_ps, None, each.first, each.beyond) for each in touched],
    )
    first, left = max(0, first), min(max(0, count), MOST_ROWS)
    rows: list[TableRow] = []
    skip = first
    for side in sides:
        found = some_events(side, skip, left)
        rows.extend(_row(lookups, member.track, number) for member, number in found)
        left -= len(found)
        skip = max(0, skip - sum(map(len, side)))
    return EventTable(count=sum(map(len, touched)), first=first, rows=tuple(rows))


def _row(lookups: Lookups, track: Track, event: int) -> TableRow:
    return TableRow(
        place=event_place(lookups.timeline, track, event),
        shown_name=shown_name(lookups.timeline, track, event),
        self_ps=int(lookups.self_ps(track)[event]),
        op=lookups.op_of_event(track, event),
    )
