"""Timelines of broken files: drawn, or refused in a sentence; never a crash, never endless."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made.xspace import Line, plane, write
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.windows.window import unpacked, window
from scopelight.formats.errors import FormatError

GOOD = b"".join(
    (
        plane(
            "/device:TPU:0",
            Line("XLA Ops", tuple((f"op.{place % 5}", place * 90, 100 + place) for place in range(30)), 3),
            Line("_counters_", tuple(("power (W)", place * 100, 0, float(place)) for place in range(9))),
        ),
        plane("/host:CPU", Line("python", tuple((f"$a.py:{place} f", place * 7, 900) for place in range(20)), 1)),
        plane("Task Environment", stats=(("profile_start_time", 12345),)),
    )
)


def drawn(path):
    """The whole timeline of a path, as the panel would draw it."""
    timeline = open_timeline(path)
    record = timeline.record()
    tracks = [track.id for section in record.sections for track in section.tracks]
    if tracks:
        end_ps = max(1, record.duration_ps)
        picture = window(timeline, tracks, [1 << 40] * len(tracks), 0, end_ps, 100)
        boxes = unpacked(picture.boxes)
        for name in np.unique(boxes.name).tolist():
            timeline.slices.names.shown(name)
        return sum(track.busy_ps for track in picture.tracks)
    return 0


def test_the_unbroken_file_is_drawn_whole(tmp_path):
    path = write(tmp_path / "a.xplane.pb", GOOD)
    assert drawn(path) == sum(100 + place for place in range(30)) + 20 * 900


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_any_bytes_are_drawn_or_refused(tmp_path, changes):
    data = bytearray(GOOD)
    for place, value in changes:
        data[place] = value
    try:
        drawn(write(tmp_path / "a.xplane.pb", bytes(data)))
    except FormatError as error:
        assert str(error)


def test_times_that_no_profile_has_are_refused(tmp_path):
    events = (("early", 0, 1), ("late", (1 << 62) + 5, 1))
    path = write(tmp_path / "a.xplane.pb", plane("/host:CPU", Line("python", events)))
    with pytest.raises(FormatError, match="50 days apart"):
        open_timeline(path)


def test_the_corrupt_file_is_refused(shared_data):
    with pytest.raises(FormatError):
        drawn(shared_data / "corrupt" / "tpu_inference_2.xplane.pb")
