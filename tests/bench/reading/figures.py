"""How reading does beside xprof, and what it is held to."""

from pathlib import Path

from bars import Bars
from bench import MEGABYTE, Bench
from profiles import READ_MEGABYTES, captured_profile, events_of
from reading import reading

COMMAND_BARS = {3: 1.0, 7: 1.3, 40: 4.5}
"""Megabytes of a file, and how many times as quick as xprof a whole command on it is."""
AGAIN_SECONDS = 0.45
"""Of a command on a file of 7 MB that was opened before."""
COLD_SECONDS = 5
"""Of the processor, more than warm: the first command where no compiled kernels are kept."""
LARGE_MEGABYTES = 610
LARGE_MEMORY_RATIO = 1.8
"""Resident memory at its peak over the file, pages of the file that are mapped included."""


def add_commands(bench: Bench) -> None:
    """Whole commands on files of some sizes, and the first without compiled kernels."""
    for megabytes, least in COMMAND_BARS.items():
        path = captured_profile(bench.python, megabytes)
        figures = reading.whole_commands(path, bench.python, bench.xprof, bench.repetitions)
        _add_command(bench.bars, path, least, figures)
        if megabytes == 7:
            again_ms = figures.again_seconds * 1e3
            bench.bars.add_milliseconds("whole command, opened again", again_ms, most=AGAIN_SECONDS * 1e3)
            profile = ("memory-profile", "memory_profile")
            memory_figures = reading.whole_commands(path, bench.python, bench.xprof, bench.repetitions, *profile)
            theirs = f"xprof {memory_figures.xprof_seconds * 1e3:.0f} ms"
            ours = f"{memory_figures.seconds * 1e3:.0f} ms"
            bench.bars.report("memory-profile, whole command", ours, theirs, memory_figures.ratio)
    cold = reading.cold_seconds(captured_profile(bench.python, 7), bench.python, 3)
    bench.bars.add("first command without kernels: s of CPU", f"{cold:.1f}", "", cold, most=COLD_SECONDS)


def add_readings(bench: Bench) -> None:
    """A captured file, whole and warm, beside xprof."""
    path = captured_profile(bench.python, READ_MEGABYTES)
    figures = reading.measure(path, bench.python, bench.xprof, bench.repetitions)
    _add_reading(bench.bars, path, events_of(bench.python, path), figures)


def add_large(bench: Bench) -> None:
    """The peak of memory on a large file."""
    path = captured_profile(bench.python, LARGE_MEGABYTES)
    _, peak_bytes = reading.whole_command(bench.python.parent / "scopelight", "show", "lines", path, "--json")
    size = path.stat().st_size
    figure = f"peak memory over a file of {size / MEGABYTE:.0f} MB"
    bench.bars.add(figure, f"{peak_bytes / MEGABYTE:.0f} MB", "", peak_bytes / size, most=LARGE_MEMORY_RATIO)


def _add_command(bars: Bars, path: Path, least: float, figures: reading.WholeCommand) -> None:
    bars.add(
        f"whole command on {path.stat().st_size / MEGABYTE:.1f} MB",
        f"{figures.seconds * 1e3:.0f} ms",
        f"xprof {figures.xprof_seconds * 1e3:.0f} ms",
        figures.ratio,
        least=least,
    )


def _add_reading(bars: Bars, path: Path, events: int, figures: reading.Reading) -> None:
    size = path.stat().st_size
    bars.report("file", f"{size / MEGABYTE:.1f} MB", f"{events:,} events")
    bars.add("file: MB, at least", f"{size / MEGABYTE:.1f}", "", size / MEGABYTE, least=20)
    bars.add("file: events, at least", f"{events:,}", "", events, least=500_000)
    bars.add(
        "file → lines, warm",
        f"{figures.warm_seconds * 1e3:.0f} ms",
        f"xprof {figures.warm_xprof_seconds * 1e3:.0f} ms",
        figures.warm_xprof_seconds / figures.warm_seconds,
        least=12,
    )
    bars.add(
        "whole command",
        f"{figures.command_seconds * 1e3:.0f} ms",
        f"xprof {figures.command_xprof_seconds * 1e3:.0f} ms",
        figures.command_ratio,
        least=2.5,
    )
    bars.add(
        "peak memory, whole command",
        f"{figures.peak_bytes / MEGABYTE:.0f} MB",
        f"xprof {figures.peak_xprof_bytes / MEGABYTE:.0f} MB",
        figures.peak_bytes / figures.peak_xprof_bytes,
        most=0.5,
    )
    bars.add("decoding, warm: MB/s", "", "", figures.decode_bytes_per_second / MEGABYTE, least=200)
