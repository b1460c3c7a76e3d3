"""Questions to broken profiles: an answer, or one sentence."""

import contextlib
import io
import random

import pytest

from scopelight.analysis.timeline.events.event import event_record
from scopelight.analysis.timeline.events.selection import selection_record
from scopelight.analysis.timeline.events.table import event_table
from scopelight.analysis.timeline.export import export_timeline
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.records import TimelineMatcher
from scopelight.analysis.timeline.search.search import Search
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.formats.errors import FormatError
from scopelight.report.findings.worded import in_terminal


@pytest.mark.parametrize("seed", range(40))
def test_broken_bytes(shared_data, tmp_path, seed):
    chance = random.Random(seed)
    broken = bytearray((shared_data / "mi300x-conv" / "tw003.xplane.pb").read_bytes())
    for _ in range(chance.choice((1, 1, 3, 10))):
        broken[chance.randrange(len(broken))] = chance.randrange(256)
    path = tmp_path / "broken.xplane.pb"
    path.write_bytes(broken)
    try:
        timeline = open_timeline(path)
    except FormatError:
        return
    lookups = Lookups(timeline)
    search = Search(timeline, TimelineMatcher(text="conv", arguments=True), lookups.names)
    while search.record(0, None).searched_ratio < 1:
        search.advance(None, 5)
    tracks = [track.id for track in timeline.tracks]
    with contextlib.suppress(FormatError):
        selection_record(lookups, tracks, 0, timeline.slices.duration_ps)
    with contextlib.suppress(FormatError):
        event_table(lookups, tracks, 0, timeline.slices.duration_ps, 0, 50)
    with contextlib.suppress(FormatError):
        export_timeline(timeline, io.StringIO(), in_terminal)
    for track in timeline.tracks[::9]:
        with contextlib.suppress(FormatError, LookupError):
            event_record(lookups, track, 0)
