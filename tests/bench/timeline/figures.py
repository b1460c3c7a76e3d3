"""How soon a timeline is there, drawn and searched, and how soon it must be."""

from pathlib import Path
from typing import Any

from bars import Bars
from bench import MEGABYTE, Bench
from browser import printed_figures
from profiles import READ_MEGABYTES, TIMELINE_MEGABYTES, captured_profile, events_of
from timeline import timeline


def add_timeline(bench: Bench) -> None:
    """Drawing, the daemon on ten million events, the panel, and the first picture beside xprof."""
    _add_drawing(bench.bars, printed_figures("bench:timeline-draw"))
    path = captured_profile(bench.python, TIMELINE_MEGABYTES)
    _add_daemon(bench.bars, path, events_of(bench.python, path), timeline.measure(path, bench.python))
    for figures in printed_figures("bench:timeline-editor", str(path)):
        drawn_ms = figures["drawn_ms"]
        median = f"median {drawn_ms['median']:.0f} ms"
        bench.bars.add_milliseconds(f"timeline: key → drawn, p95 ({median})", drawn_ms["p95"], most=150)
    path = captured_profile(bench.python, READ_MEGABYTES)
    ours, theirs = timeline.first_pictures(path, bench.python, bench.xprof, 3)
    bench.bars.add(
        f"timeline: first picture of {path.stat().st_size / MEGABYTE:.0f} MB",
        f"{ours * 1e3:.0f} ms",
        f"xprof {theirs * 1e3:.0f} ms",
        theirs / ours,
        least=20,
    )


def _add_drawing(bars: Bars, renderers: list[dict[str, Any]]) -> None:
    for figures in renderers:
        name, script_ms = figures["renderer"], figures["script_ms"]
        figure = f"timeline: script of a frame by {name}, p95 (median {script_ms['median']:.1f} ms)"
        if name == "webgl2":
            bars.add_milliseconds(figure, script_ms["p95"], most=4)
        else:
            bars.report(figure, f"{script_ms['p95']:.1f} ms", f"{figures['boxes']:,} boxes")
        frames, empty = figures["frames_per_s"], figures["empty_frames_per_s"]
        # Without a graphics card this is the speed of an emulation.
        bars.report(f"timeline: frames a second by {name}", f"{frames}", f"empty canvas {empty}", frames / empty)


def _add_daemon(bars: Bars, path: Path, events: int, figures: timeline.TimelineFigures) -> None:
    size = path.stat().st_size
    bars.report("timeline: file", f"{size / MEGABYTE:.1f} MB", f"{events:,} events")
    bars.add("timeline: events, at least", f"{events:,}", "", events, least=10_000_000)
    # The bar is three seconds for 400 MB.
    most = 3000 * size / 400e6
    coarse = f"first tracks {figures.coarse_picture * 1e3:.0f} ms"
    bars.add_milliseconds(f"timeline: first picture ({coarse})", figures.first_picture * 1e3, most=most)
    bars.report("timeline: complete", f"{figures.complete:.1f} s")
    median = f"median {figures.window_median * 1e3:.1f} ms"
    bars.add_milliseconds(f"timeline: window, p99 over the wire ({median})", figures.window_p99 * 1e3, most=16)
    bars.add("timeline: packed kB, at most", f"{figures.boxes:,} boxes", "", figures.packed_bytes / 1e3, most=300)
    bars.add_milliseconds("timeline: search of names, slowest", figures.search * 1e3, most=200)
    bars.add("timeline: peak memory over file", "", "", figures.peak_bytes / size, most=3)
