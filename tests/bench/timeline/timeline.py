"""How quickly the daemon answers for a timeline's pictures and searches, beside xprof's streaming trace viewer."""

import base64
import random
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
from daemon import Daemon
from reading.servers import fresh, xprof_server

WIDTH_PX = 1400
ROWS = 30
"""As many as a window of an editor shows."""
WINDOWS = 300
LEAST_SPAN_PS = 1_000_000
WORDS = ("dot", "Thunk", "loop_fusion", "nothing is called so")
EXPRESSIONS = (r"dot\.\d+", "^(while|call)", "fusion.*[02468]$", "(a*)*b")


@attrs.frozen
class TimelineFigures:
    """Times in seconds. ``first_picture`` is from opening the file until all tracks in sight are drawn."""

    first_picture: float
    coarse_picture: float
    window_median: float
    window_p99: float
    packed_bytes: int
    boxes: int
    complete: float
    search: float
    peak_bytes: int


def measure(path: Path, python: Path) -> TimelineFigures:
    """Opens ``path``, whose pages are in the page cache, as the panel does, then moves about and searches."""
    subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)
    with Daemon(python) as daemon:
        _warm(daemon)
        start = time.perf_counter()
        coarse, record, tracks = _first_picture(daemon, path)
        first_picture = time.perf_counter() - start
        while not daemon.answer("scopelight/view/timeline", {"path": str(path)})["record"]["complete"]:
            time.sleep(0.2)
        complete = time.perf_counter() - start
        seconds, packed, boxes = _windows(daemon, path, record["duration_ps"], tracks)
        searches = [_search(daemon, path, {"text": text, "regex": False}) for text in WORDS]
        searches += [_search(daemon, path, {"text": text, "regex": True}) for text in EXPRESSIONS]
        return TimelineFigures(
            first_picture=first_picture,
            coarse_picture=coarse,
            window_median=statistics.median(seconds),
            window_p99=sorted(seconds)[int(len(seconds) * 0.99)],
            packed_bytes=packed,
            boxes=boxes,
            complete=complete,
            # The first one makes the index of names.
            search=max(searches[1:]),
            peak_bytes=daemon.peak_bytes(),
        )


def first_pictures(path: Path, python: Path, xprof_python: Path, repetitions: int) -> tuple[float, float]:
    """Median seconds to the first picture of ``path`` of a warm daemon and of a warm xprof."""
    ours, theirs = [], []
    peer = xprof_server(xprof_python)
    with Daemon(python) as daemon:
        _warm(daemon)
        for _ in range(repetitions):
            with fresh(path) as copy:
                start = time.perf_counter()
                _first_picture(daemon, copy)
                ours.append(time.perf_counter() - start)
            with fresh(path) as copy:
                theirs.append(peer.seconds("trace_viewer@", copy))
    peer.close()
    return statistics.median(ours), statistics.median(theirs)


def _warm(daemon: Daemon) -> None:
    """A file that does not exist makes the daemon import what reads files."""
    try:
        daemon.answer("scopelight/view/timeline", {"path": "/nowhere/warm.xplane.pb"})
    except RuntimeError:
        return


def _first_picture(daemon: Daemon, path: Path) -> tuple[float, dict[str, Any], Sequence[str]]:
    """Seconds until some track was drawn, the record, and the tracks in sight, all of which are drawn by then."""
    start = time.perf_counter()
    record = daemon.answer("scopelight/view/timeline", {"path": str(path)})["record"]
    tracks = [track["id"] for section in record["sections"] for track in section["tracks"]][:ROWS]
    coarse = None
    while True:
        picture = daemon.answer("scopelight/details/timelineWindow", _window(path, tracks, 0, record["duration_ps"]))
        if coarse is None and picture["boxes"]["boxes"]:
            coarse = time.perf_counter() - start
        if all(track["ready"] for track in picture["tracks"]):
            return coarse or 0.0, record, tracks


def _window(path: Path, tracks: Sequence[str], start_ps: int, end_ps: int) -> dict[str, Any]:
    each = max(1, ROWS // len(tracks))
    return {
        "tracks": list(tracks),
        "depths": [each] * len(tracks),
        "start_ps": start_ps,
        "end_ps": end_ps,
        "width_px": WIDTH_PX,
        "matcher": None,
        "path": str(path),
    }


def _windows(daemon: Daemon, path: Path, duration_ps: int, tracks: Sequence[str]) -> tuple[list[float], int, int]:
    chance = random.Random(7)
    seconds, packed, boxes = [], 0, 0
    for _ in range(WINDOWS):
        # Spans of all sizes are as likely: a person zooms by factors.
        span_ps = int(duration_ps * (LEAST_SPAN_PS / duration_ps) ** chance.random())
        start_ps = chance.randrange(0, max(1, duration_ps - span_ps))
        took, picture = daemon.seconds(
            "scopelight/details/timelineWindow", _window(path, tracks, start_ps, start_ps + span_ps)
        )
        seconds.append(took)
        packed = max(packed, len(base64.b64decode(picture["boxes"]["packed"])))
        boxes = max(boxes, picture["boxes"]["boxes"])
    return seconds, packed, boxes


def _search(daemon: Daemon, path: Path, matcher: dict[str, Any]) -> float:
    """Seconds until all names were searched."""
    params = {"matcher": {"arguments": False, **matcher}, "at_ps": 0, "tracks": None, "path": str(path)}
    total = 0.0
    while True:
        took, found = daemon.seconds("scopelight/details/timelineFind", params)
        total += took
        if found["searched_ratio"] >= 1 or found["failure"] is not None:
            return total
