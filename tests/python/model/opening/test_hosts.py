"""A file that cannot be read costs its host alone, and what a path is that is no profile is named."""

import contextlib
import gzip
import json
import os
import socket

import pytest

from made.findings import codes, said
from made.xspace import Line, plane, write
from scopelight.formats.errors import FormatError
from scopelight.model.opening.paths import find_profile_files
from scopelight.model.opening.profile import open_profile
from scopelight.model.opening.slices import open_slices

TRACE = json.dumps({"displayTimeUnit": "ns", "traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2}]}).encode()
EVENTS = json.dumps([{"ph": "X", "name": "a", "ts": 1, "dur": 2}]).encode()


def host(folder, name, *durations_ps):
    ops = Line("XLA Ops", tuple((f"dot.{row}", 1000 * row, each) for row, each in enumerate(durations_ps)))
    return write(folder / f"{name}.xplane.pb", plane("/device:TPU:0", ops))


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "it is empty"),
        (bytes(range(7, 250)) * 40, "at byte"),
        (gzip.compress(TRACE), "it is a trace of Chrome or Perfetto"),
        (b"HloModule step\n", "it is a text file"),
        (b"\x89PNG\r\n", "it is a PNG picture"),
    ],
    ids=["empty", "random", "Chrome trace", "HLO text", "picture"],
)
def test_a_bad_file_costs_its_host_alone(tmp_path, content, cause):
    host(tmp_path, "a", 100, 200)
    host(tmp_path, "c", 400)
    before = open_profile(tmp_path)
    bad = tmp_path / "b.xplane.pb"
    bad.write_bytes(content)
    profile = open_profile(tmp_path)
    assert profile.executions.self_ps.sum() == before.executions.self_ps.sum() == 700
    assert len(profile.executions.devices) == 2
    assert codes(profile).count("host-unreadable") == 1
    assert f"{bad} is not a readable profile: " in said(profile)
    assert cause in said(profile)
    assert "The session's other hosts are shown without it." in said(profile)
    slices = open_slices(tmp_path)
    assert "host-unreadable" in codes(slices)
    assert len(slices.lanes) == 2


def test_where_no_host_can_be_read_the_first_says_why(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.xplane.pb").write_bytes(b"")
    for read in (open_profile, open_slices):
        with pytest.raises(FormatError, match=r"a\.xplane\.pb is not a readable profile: it is empty"):
            read(tmp_path)


def fifo(path):
    os.mkfifo(path)


def bound(path):
    # The name of a socket is short.
    with socket.socket(socket.AF_UNIX) as made, contextlib.chdir(path.parent):
        made.bind(path.name)


def nothing(path):
    assert not path.exists()


@pytest.mark.parametrize(
    ("make", "cause"),
    [
        (fifo, "it is a named pipe"),
        (bound, "it is a socket"),
        (lambda path: path.symlink_to("/dev/null"), "it is a device"),
        (lambda path: path.symlink_to(path), "it cannot be opened"),
        (nothing, "there is no such file or directory"),
        (lambda path: path.write_bytes(TRACE), r"it is a trace of Chrome or Perfetto in JSON; open the \*\.xplane\.pb"),
        (
            lambda path: path.write_bytes(EVENTS),
            r"it is a trace of Chrome or Perfetto in JSON; open the \*\.xplane\.pb",
        ),
        (lambda path: path.write_bytes(gzip.compress(TRACE)), r"it is a trace of Chrome .* open the \*\.xplane\.pb"),
    ],
    ids=["FIFO", "socket", "device", "link to itself", "nothing", "trace", "events", "trace.gz"],
)
def test_a_path_is_named_for_what_it_is(tmp_path, make, cause):
    path = tmp_path / "thing"
    make(path)
    for read in (open_profile, open_slices):
        with pytest.raises(FormatError, match=cause):
            read(path)


def test_a_folder_of_chrome_traces_lacks_the_profile(tmp_path):
    where = tmp_path / "plugins" / "profile" / "first"
    where.mkdir(parents=True)
    (where / "host.trace.json.gz").write_bytes(gzip.compress(TRACE))
    for read in (open_profile, open_slices, find_profile_files):
        with pytest.raises(FormatError, match=r"\(host\.trace\.json\.gz\) and no \*\.xplane\.pb file, which is needed"):
            read(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_closed_folder_is_called_closed(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    with pytest.raises(FormatError, match="this user may not read it"):
        open_profile(closed)
    with pytest.raises(FormatError, match="closed is closed"):
        open_profile(tmp_path)


def test_a_folder_that_may_not_be_read_is_called_so(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(FormatError, match="this user may not read it"):
        open_profile(tmp_path)
