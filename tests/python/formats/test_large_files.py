"""Files beyond 2 GB: positions are 64 bits wide everywhere."""

import numpy as np
import pytest

from scopelight.formats import mapped
from scopelight.formats.mapped import MappedFile
from scopelight.formats.xspace import stats
from scopelight.formats.xspace.reader import read_xspace

HOLE_BYTES = (1 << 31) + (1 << 20)


def varint(value):
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def test_a_plane_behind_two_gigabytes_is_read(tmp_path, xplane):
    plane = xplane.XPlane(name="/host:CPU")
    plane.event_metadata.add(key=7, value=xplane.XEventMetadata(id=7, name="far"))
    plane.stat_metadata.add(key=3, value=xplane.XStatMetadata(id=3, name="run_id"))
    line = plane.lines.add(name="thread", timestamp_ns=5)
    for number in range(3):
        event = line.events.add(metadata_id=7, offset_ps=10 * number, duration_ps=4)
        event.stats.add(metadata_id=3, int64_value=number + 1)
    tail = xplane.XSpace(planes=[plane]).SerializeToString()
    path = tmp_path / "large.xplane.pb"
    with path.open("wb") as file:
        # A field that no reader knows, with a hole for its content.
        file.write(varint(9 << 3 | 2) + varint(HOLE_BYTES))
        file.seek(HOLE_BYTES, 1)
        file.write(tail)
    if path.stat().st_blocks * 512 > HOLE_BYTES // 2:
        pytest.skip("this file system has no holes in files")
    (read,) = read_xspace(path).planes
    events = read.lines[0].events()
    assert [read.events_metadata.names[row] for row in events.metadata] == ["far"] * 3
    assert events.start_ps.tolist() == [0, 10, 20]
    assert events.integer_stats(("run_id",))["run_id"][0].tolist() == [1, 2, 3]


@pytest.mark.parametrize(("changes", "longest_bytes"), [(9, 50), (0, 200)], ids=["by stretches", "by rows"])
def test_a_line_that_is_read_block_by_block_is_the_same(tmp_path, xplane, monkeypatch, changes, longest_bytes):
    monkeypatch.setattr(stats, "BLOCK_ROWS", 7)
    # A stretch ends within an event, or holds one or two of them.
    monkeypatch.setattr(mapped, "STAYING_BYTES", 40)
    monkeypatch.setattr(mapped, "STRETCH_BYTES", 20)
    monkeypatch.setattr(stats, "MOST_CHANGES", changes)
    plane = xplane.XPlane(name="/host:CPU")
    plane.event_metadata.add(key=7, value=xplane.XEventMetadata(id=7, name="op"))
    plane.stat_metadata.add(key=3, value=xplane.XStatMetadata(id=3, name="run_id"))
    plane.stat_metadata.add(key=4, value=xplane.XStatMetadata(id=4, name="only some have it"))
    line = plane.lines.add(name="thread")
    for number in range(30):
        event = line.events.add(metadata_id=7, offset_ps=10 * number, duration_ps=4)
        event.stats.add(metadata_id=3, int64_value=number - 5)
        if number % 3 == 0:
            event.stats.add(metadata_id=4, int64_value=number * number)
    path = tmp_path / "blocks.xplane.pb"
    path.write_bytes(xplane.XSpace(planes=[plane]).SerializeToString())
    (read,) = read_xspace(path).planes
    events = read.lines[0].events()
    assert events.start_ps.tolist() == [10 * number for number in range(30)]
    forgotten = []
    monkeypatch.setattr(MappedFile, "forget_pages", lambda _, first, last: forgotten.append((first, last)))
    columns = events.integer_stats(("run_id", "only some have it"), np.arange(29, -1, -1))
    lengths = [last - first for first, last in forgotten]
    assert longest_bytes / 2 < max(lengths) <= longest_bytes
    assert len(lengths) >= 30 / 7
    assert columns["run_id"][0].tolist() == [number - 5 for number in range(29, -1, -1)]
    values, present = columns["only some have it"]
    assert present.tolist() == [number % 3 == 0 for number in range(29, -1, -1)]
    assert values[present].tolist() == [number * number for number in range(27, -1, -3)]
