"""What capture costs the script and the machine, and what it may cost."""

import json
import statistics
from pathlib import Path

from bars import Bars
from bench import ROOT, Bench

from capture import host, overhead, resources

HOST_PAIRS = {5.0: 80, 20.0: 160}
"""By the length of a step in ms how many pairs of blocks, with and without, tell less than a percent."""
HOT_PAIRS = 60
"""They vary more, and have no bar but that of their first steps."""


def add_overhead(bench: Bench) -> None:
    """Long steps, which have bars, and short ones."""
    long_steps = overhead.measure(bench.python, ["plain_loop.py", "--steps", "1000"], 40, 9)
    short_steps = overhead.measure(bench.python, ["short_steps.py", "--steps", "300000"], 1000, 5)
    print(json.dumps({"window": long_steps.window_ratios, "outside": long_steps.outside_ratios}))
    _add_overhead(bench.bars, long_steps, short_steps)


def add_host(bench: Bench) -> None:
    """What recording the host costs, on each version of Python that there is."""
    others = (ROOT / f".venv-host-{version}" / "bin" / "python" for version in ("3.12", "3.13"))
    for python in (bench.python, *(each for each in others if each.exists())):
        _add_host(bench.bars, python)


def add_resources(bench: Bench) -> None:
    """Reading the resources of the host."""
    figures = resources.measure(bench.python)
    every = f"every {figures.period_seconds * 1e3:.0f} ms, {figures.threads} threads"
    bench.bars.add(
        "resources: share of a core, %", f"{figures.core_ratio:.2%}", every, figures.core_ratio * 100, most=0.5
    )
    bench.bars.report("resources: of it while no trace runs, %", f"{figures.seldom_core_ratio:.2%}")
    more = f"{figures.more_threads} threads, {figures.more_descriptors} descriptors"
    bench.bars.add(
        "resources: more in the script's process", more, "", figures.more_threads + figures.more_descriptors, most=0
    )


def _add_overhead(bars: Bars, figures: overhead.Overhead, short: overhead.Overhead) -> None:
    step = f"{figures.step_seconds * 1e3:.1f} ms a step"
    bars.add("step inside the window", f"{figures.window_steps} steps", step, figures.window_ratio, most=1.10)
    of_pairs = statistics.median(figures.window_ratios)
    bars.report("step inside the window, of the pairs", "median", step, of_pairs)
    # What differs by no more than runs without Scopelight differ from each other cannot be measured.
    noise = f"noise {figures.noise_ratio:.1%}"
    bars.add("step outside the window", noise, step, figures.outside_ratio, most=1 + max(0.03, figures.noise_ratio))
    bars.report("pause of stopping the trace", f"{figures.pause_seconds * 1e3:.0f} ms")
    step = f"{short.step_seconds * 1e6:.0f} µs a step"
    bars.report("short step inside the window", f"{short.window_steps} steps", step, short.window_ratio)
    bars.report("short step outside the window", "", step, short.outside_ratio)
    bars.report("pause with short steps", f"{short.pause_seconds * 1e3:.0f} ms")


def _add_host(bars: Bars, python: Path) -> None:
    version = host.version_of(python)
    figure = f"host recorded by Python {version[0]}.{version[1]}:"
    for step_ms, pairs in HOST_PAIRS.items():
        most = 1.01 if step_ms >= 20 else 1.03 if version >= (3, 12) else 1.05
        found = host.measure(python, "usual", step_ms, pairs)
        half = f"{found.quartiles[0]:.3f} to {found.quartiles[1]:.3f}"
        bars.add(f"{figure} step", half, f"{found.step_seconds * 1e3:.1f} ms a step", found.ratio, most=most)
        found = host.measure(python, "hot", step_ms, HOT_PAIRS)
        bars.report(f"{figure} step of {step_ms:.0f} ms that is half hot Python", f"{found.ratio:.3f}")
        if version >= (3, 12):
            first_steps = host.measure_first_steps(python, step_ms)
            bars.add("of it at first: steps", f"{first_steps:.2f}", "", first_steps, most=1)
