"""The benchmark: reading beside xprof on one file, the overhead of capture, and the editor. `make bench` runs it.

Prints each figure with the bar that it must meet; exits with 1 when one is missed.
"""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import graphs
import host
import hosts
import hovering
import memory
import overhead
import overview
import queries
import reading
import resources
import steps
import timeline
from first_hour.figures import add_first_hour
from rich.console import Console
from rich.table import Table

import agents

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scopelight-bench"
MEGABYTE = 1e6
READ_MEGABYTES = 62
COMMAND_BARS = {3: 1.0, 7: 1.3, 40: 4.5}
"""Megabytes of a file, and how many times as quick as xprof a whole command on it is."""
AGAIN_SECONDS = 0.45
"""Of a command on a file of 7 MB that was opened before."""
COLD_SECONDS = 5
"""Of the processor, more than warm: the first command where no compiled kernels are kept."""
LARGE_MEGABYTES = 610
LARGE_MEMORY_RATIO = 1.8
"""Resident memory at its peak over the file, pages of the file that are mapped included."""
OPENED_MEGABYTES = 31
"""In the editor: the least that holds 500,000 events."""
HOST_PAIRS = {5.0: 80, 20.0: 160}
"""By the length of a step in ms how many pairs of blocks, with and without, tell less than a percent."""
HOT_PAIRS = 60
"""They vary more, and have no bar but that of their first steps."""
TIMELINE_MEGABYTES = 610
"""Ten million events."""
QUERY_MEGABYTES = 300
"""What a query over ten million events takes beside the columns of the open run."""
HOSTS_SECONDS = 6
"""Of the processor, to compare the hosts of 16,384 devices that meet 600 times."""
HOSTS_MEGABYTES = 500
FUSION_CHEAP_RATIO = 1 / 6
"""Of a fusion's two lines the cheap one takes at most this share; where it takes more, there is none."""


def captured_profile(python: Path, megabytes: int) -> Path:
    """A captured file of at least that size, made once and kept outside the tree until what makes it changes."""
    examples = ROOT / "daemon" / "examples"
    makers = [HERE / "make_profile.py", *sorted(examples.glob("*.py"))]
    # Its frames name the files of this checkout.
    made_from = [str(ROOT).encode(), *(each.read_bytes() for each in makers)]
    digest = hashlib.sha256(b"".join(made_from)).hexdigest()[:16]
    folder = CACHE / f"{digest}-{megabytes}"
    path = folder / "transformer.xplane.pb"
    if not path.is_file():
        environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
        subprocess.run([python, HERE / "make_profile.py", folder, str(megabytes)], check=True, env=environment)
        # What is still on its way to the disk would slow down what is timed next.
        os.sync()
    return path


def events_of(python: Path, path: Path) -> int:
    """How many events the file holds."""
    count = (
        "import sys, pathlib; from scopelight.formats.xspace.reader import read_xspace;"
        "space = read_xspace(pathlib.Path(sys.argv[1]));"
        "print(sum(len(line.events()) for plane in space.planes for line in plane.lines))"
    )
    return int(subprocess.run([python, "-c", count, path], check=True, capture_output=True, text=True).stdout)


class Bars:
    """The table of figures, each with its bar, and whether all were met."""

    def __init__(self) -> None:
        self.table = Table("figure", "Scopelight", "compared with", "ratio", "bar", "", title="make bench")
        self.missed: list[str] = []

    def add(self, figure: str, ours: str, theirs: str, ratio: float, *, least: float = 0, most: float = 0):
        """A figure whose ratio must be at least ``least`` or at most ``most``."""
        met = ratio >= least if least else ratio <= most
        bar = f"≥ {least:g}" if least else f"≤ {most:.3g}"
        self.table.add_row(figure, ours, theirs, f"{ratio:.3g}", bar, "met" if met else "MISSED")
        if not met:
            self.missed.append(figure)

    def add_milliseconds(self, figure: str, milliseconds: float, *, most: float) -> None:
        """A time in the editor that must be at most ``most``."""
        met = milliseconds <= most
        self.table.add_row(figure, f"{milliseconds:.1f} ms", "", "", f"≤ {most:g} ms", "met" if met else "MISSED")
        if not met:
            self.missed.append(figure)

    def report(self, figure: str, ours: str, theirs: str = "", ratio: float | None = None) -> None:
        """A figure without a bar."""
        shown = "" if ratio is None else f"{ratio:.3g}"
        self.table.add_row(figure, ours, theirs, shown, "", "reported")


def add_reading(bars: Bars, path: Path, events: int, figures: reading.Reading) -> None:
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


def add_commands(bars: Bars, path: Path, least: float, figures: reading.WholeCommand) -> None:
    bars.add(
        f"whole command on {path.stat().st_size / MEGABYTE:.1f} MB",
        f"{figures.seconds * 1e3:.0f} ms",
        f"xprof {figures.xprof_seconds * 1e3:.0f} ms",
        figures.ratio,
        least=least,
    )


def add_overhead(bars: Bars, figures: overhead.Overhead, short: overhead.Overhead) -> None:
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


def add_host(bars: Bars, python: Path) -> None:
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


def add_resources(bars: Bars, figures: resources.ResourceFigures) -> None:
    every = f"every {figures.period_seconds * 1e3:.0f} ms, {figures.threads} threads"
    bars.add("resources: share of a core, %", f"{figures.core_ratio:.2%}", every, figures.core_ratio * 100, most=0.5)
    bars.report("resources: of it while no trace runs, %", f"{figures.seldom_core_ratio:.2%}")
    more = f"{figures.more_threads} threads, {figures.more_descriptors} descriptors"
    bars.add(
        "resources: more in the script's process", more, "", figures.more_threads + figures.more_descriptors, most=0
    )


def printed_figures(script: str, *arguments: str) -> list[dict[str, Any]]:
    """What a script of the benchmark measures in a browser: one object for each line of JSON that it prints."""
    command = ["npm", "run", "--silent", script, "--", *arguments]
    printed = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def editor_figures(script: str, *arguments: str) -> dict[str, float]:
    """What a script of the benchmark measures in a real VS Code, or in a page of its own, times in milliseconds."""
    return printed_figures(script, *arguments)[-1]


def add_editor(bars: Bars, path: Path, events: int, figures: dict[str, float]) -> None:
    bars.report("file opened in the editor", f"{path.stat().st_size / MEGABYTE:.1f} MB", f"{events:,} events")
    bars.add_milliseconds("editor: key → annotations", figures["open_ms"], most=1000)
    # Most of it is the editor's own drawing, so it is held against the card that the editor has for a style sheet.
    bars.add(
        "editor: key → hover card",
        f"{figures['hover_ms']:.1f} ms",
        f"its own {figures['hover_without_ms']:.1f} ms",
        figures["hover_ms"] / figures["hover_without_ms"],
        most=1.1,
    )
    added = figures["key_ms"] - figures["key_without_ms"]
    without = f"without {figures['key_without_ms']:.1f} ms"
    bars.add_milliseconds(f"editor: added to each key ({without})", added, most=5)
    bars.add_milliseconds("editor: activation", figures["activation_ms"], most=50)


def add_op_profile(bars: Bars, figures: dict[str, float]) -> None:
    bars.report("op profile of 28,000 instructions", f"{figures['rows']:,.0f} rows")
    for action in ("expand", "sort", "search"):
        bars.add_milliseconds(f"op profile: {action}, at work", figures[f"{action}_ms"], most=100)
    elements = figures["elements"]
    bars.add("op profile: elements on the page", f"{elements:,.0f}", "", elements, most=2000)


def add_timeline(bars: Bars, path: Path, events: int, figures: timeline.TimelineFigures) -> None:
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


def add_timeline_drawing(bars: Bars, renderers: list[dict[str, Any]]) -> None:
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


def add_fusions(bars: Bars, python: Path) -> None:
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    printed = subprocess.run(
        [python, HERE / "fusions.py"], check=True, env=environment, stdout=subprocess.PIPE, text=True
    )
    for each in json.loads(printed.stdout):
        estimated, measured = each["estimated_ratio"], each["measured_ratio"]
        figure, ours, theirs = f"fusion of {each['name']}", f"{estimated:.1%} cheap", f"measured {measured:.1%}"
        if measured > FUSION_CHEAP_RATIO:
            bars.report(figure, ours, theirs)
        else:
            bars.add(f"{figure}: off by", ours, theirs, abs(estimated - measured), most=0.10)


def add_steps(bars: Bars, figures: steps.StepFigures) -> None:
    ratio = figures.op_time_ratio
    bars.add("op time of products: off by", "", f"{ratio:.3g} of processor time", abs(ratio - 1), most=0.15)
    for name, found in figures.median_step_ratios.items():
        bars.add(f"median step of {name}: off by", "", f"{found:.3g} of its own", abs(found - 1), most=0.05)


def add_memory(bars: Bars, figures: memory.MemoryFigures) -> None:
    bars.report("memory: program", f"{figures.instructions:,} instructions", f"{figures.buffers:,} buffers")
    bars.add("memory: instructions, at least", f"{figures.instructions:,}", "", figures.instructions, least=24_000)
    bars.add_milliseconds("memory: analysis of it, the first", figures.first_seconds * 1e3, most=1000)
    bars.add_milliseconds("memory: analysis of it, warm", figures.warm_seconds * 1e3, most=1000)


def add_memory_viewer(bars: Bars, figures: dict[str, float]) -> None:
    bars.add("memory viewer: buffers, at least", f"{figures['rows']:,.0f}", "", figures["rows"], least=10_000)
    actions = {
        "choose": "choosing a row",
        "walk": "walking the strip",
        "sort": "sorting",
        "search": "searching, the slowest key",
        "list": "listing all at the peak",
        "map": "showing the allocation map",
    }
    for action, name in actions.items():
        bars.add_milliseconds(f"memory viewer: {name}, at work", figures[f"{action}_ms"], most=100)
    # What follows the mouse has one frame.
    for part in ("row", "strip", "curve", "map"):
        bars.add_milliseconds(f"memory viewer: hover on the {part}, at work", figures[f"hover_{part}_ms"], most=16)
    elements = figures["elements"]
    bars.add("memory viewer: elements on the page", f"{elements:,.0f}", "", elements, most=2000)


@attrs.frozen(slots=True)
class Bench:
    """What parts measure with."""

    bars: Bars
    python: Path
    xprof: Path
    repetitions: int

    def reading(self) -> None:
        path = captured_profile(self.python, READ_MEGABYTES)
        figures = reading.measure(path, self.python, self.xprof, self.repetitions)
        add_reading(self.bars, path, events_of(self.python, path), figures)

    def commands(self) -> None:
        for megabytes, least in COMMAND_BARS.items():
            path = captured_profile(self.python, megabytes)
            figures = reading.whole_commands(path, self.python, self.xprof, self.repetitions)
            add_commands(self.bars, path, least, figures)
            if megabytes == 7:
                again_ms = figures.again_seconds * 1e3
                self.bars.add_milliseconds("whole command, opened again", again_ms, most=AGAIN_SECONDS * 1e3)
                profile = ("memory-profile", "memory_profile")
                memory_figures = reading.whole_commands(path, self.python, self.xprof, self.repetitions, *profile)
                theirs = f"xprof {memory_figures.xprof_seconds * 1e3:.0f} ms"
                ours = f"{memory_figures.seconds * 1e3:.0f} ms"
                self.bars.report("memory-profile, whole command", ours, theirs, memory_figures.ratio)
        cold = reading.cold_seconds(captured_profile(self.python, 7), self.python, 3)
        self.bars.add("first command without kernels: s of CPU", f"{cold:.1f}", "", cold, most=COLD_SECONDS)

    def large(self) -> None:
        path = captured_profile(self.python, LARGE_MEGABYTES)
        _, peak_bytes = reading.whole_command(self.python.parent / "scopelight", "show", "lines", path, "--json")
        size = path.stat().st_size
        figure = f"peak memory over a file of {size / MEGABYTE:.0f} MB"
        self.bars.add(figure, f"{peak_bytes / MEGABYTE:.0f} MB", "", peak_bytes / size, most=LARGE_MEMORY_RATIO)

    def memory(self) -> None:
        environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
        add_memory(self.bars, memory.measure(memory.captured_program(self.python, CACHE, environment)))
        add_memory_viewer(self.bars, editor_figures("bench:memory-viewer"))

    def fusions(self) -> None:
        add_fusions(self.bars, self.python)

    def steps(self) -> None:
        add_steps(self.bars, steps.measure(self.python))

    def overhead(self) -> None:
        long_steps = overhead.measure(self.python, ["plain_loop.py", "--steps", "1000"], 40, 9)
        short_steps = overhead.measure(self.python, ["short_steps.py", "--steps", "300000"], 1000, 5)
        print(json.dumps({"window": long_steps.window_ratios, "outside": long_steps.outside_ratios}))
        add_overhead(self.bars, long_steps, short_steps)

    def host(self) -> None:
        others = (ROOT / f".venv-host-{version}" / "bin" / "python" for version in ("3.12", "3.13"))
        for python in (self.python, *(each for each in others if each.exists())):
            add_host(self.bars, python)

    def hosts(self) -> None:
        figures = hosts.measure(self.python)
        seconds, megabytes = figures.seconds, figures.peak_bytes / MEGABYTE
        self.bars.add("hosts of 16,384 devices: s of CPU", f"{seconds:.1f}", "", seconds, most=HOSTS_SECONDS)
        self.bars.add("hosts of 16,384 devices: MB at peak", f"{megabytes:.0f}", "", megabytes, most=HOSTS_MEGABYTES)
        self.bars.add("hosts of 16,384 devices: the slow one is found", "", "", float(figures.is_right), least=1)

    def resources(self) -> None:
        add_resources(self.bars, resources.measure(self.python))

    def editor(self) -> None:
        path = captured_profile(self.python, OPENED_MEGABYTES)
        add_editor(self.bars, path, events_of(self.python, path), editor_figures("bench:editor", str(path)))
        hover = hovering.hover_seconds(path, ROOT / "daemon" / "examples" / "transformer.py", self.python)
        self.bars.add_milliseconds("editor: hover answered, p99", hover * 1e3, most=50)
        add_op_profile(self.bars, editor_figures("bench:op-profile"))

    def overview(self) -> None:
        small, path = (captured_profile(self.python, megabytes) for megabytes in (7, READ_MEGABYTES))
        figures = overview.measure(path, small, self.python, self.repetitions)
        self.bars.add("overview: events, at least", "", "", events_of(self.python, path), least=500_000)
        again = f"again {figures.again_seconds * 1e3:.0f} ms"
        self.bars.add_milliseconds(f"overview: opened, warm ({again})", figures.first_seconds * 1e3, most=300)

    def graphs(self) -> None:
        figures = graphs.measure(self.python, CACHE, self.repetitions)
        self.bars.add("graph: instructions, at least", "", "", figures.instructions, least=graphs.LEAST_INSTRUCTIONS)
        self.bars.add_milliseconds("graph: lines by phase", figures.lines_seconds * 1e3, most=1000)
        self.bars.add("graph: nodes of the lines", "", "", figures.nodes, most=60)
        self.bars.add_milliseconds("graph: scopes", figures.scopes_seconds * 1e3, most=500)
        self.bars.add("graph: layers folded into one node", "", "", figures.layers, least=56)
        first_ms = figures.first_inside_seconds * 1e3
        self.bars.add_milliseconds("graph: the first neighbourhood inside a fusion", first_ms, most=50)
        median = f"median {figures.neighbourhood_seconds * 1e3:.1f} ms"
        slowest_ms = figures.slowest_neighbourhood_seconds * 1e3
        self.bars.add_milliseconds(f"graph: neighbourhood of two edges, slowest of 400 ({median})", slowest_ms, most=50)
        drawn = editor_figures("bench:graph-panel")
        median = f"median {drawn['neighbourhood_ms']:.0f} ms"
        slowest_ms = drawn["slowest_neighbourhood_ms"]
        self.bars.add_milliseconds(f"graph: neighbourhood drawn, slowest of 24 ({median})", slowest_ms, most=200)

    def agents(self) -> None:
        path = captured_profile(self.python, READ_MEGABYTES)
        figures = agents.measure(path, self.python, self.repetitions)
        self.bars.add("agents: events, at least", "", "", events_of(self.python, path), least=1_000_000)
        listed = f"tools listed {figures.tools_seconds * 1e3:.0f} ms"
        self.bars.add_milliseconds(f"agents: start → answer ({listed})", figures.hello_seconds * 1e3, most=500)
        self.bars.report("agents: first call, which opens the run", f"{figures.opening_seconds * 1e3:.0f} ms")
        for tool, seconds in figures.seconds.items():
            self.bars.add_milliseconds(f"agents: {tool}", seconds * 1e3, most=1000)
        self.bars.add("agents: characters of an answer, at most", "", "", figures.most_characters, most=4000)

    def queries(self) -> None:
        path = captured_profile(self.python, TIMELINE_MEGABYTES)
        figures = queries.measure(path, self.python)
        self.bars.add("queries: executions, at least", "", "", figures.executions, least=10_000_000)
        self.bars.report("queries: the first, whose tables are made", f"{figures.first_seconds:.2f} s")
        for name, seconds in figures.seconds.items():
            # Quantiles sort.
            most_ms = 1000 if name.startswith("group by") else 2000
            self.bars.add_milliseconds(f"queries: {name}", seconds * 1e3, most=most_ms)
        columns = f"columns of {figures.columns_bytes / MEGABYTE:.0f} MB"
        most = max(figures.memory_bytes.values()) / MEGABYTE
        self.bars.add(f"queries: memory beside {columns}", f"{most:.0f} MB", "", most, most=QUERY_MEGABYTES)

    def first_hour(self) -> None:
        add_first_hour(self.bars, *printed_figures("bench:first-hour", str(self.xprof)))

    def timeline(self) -> None:
        add_timeline_drawing(self.bars, printed_figures("bench:timeline-draw"))
        path = captured_profile(self.python, TIMELINE_MEGABYTES)
        add_timeline(self.bars, path, events_of(self.python, path), timeline.measure(path, self.python))
        for figures in printed_figures("bench:timeline-editor", str(path)):
            drawn_ms = figures["drawn_ms"]
            median = f"median {drawn_ms['median']:.0f} ms"
            self.bars.add_milliseconds(f"timeline: key → drawn, p95 ({median})", drawn_ms["p95"], most=150)
        path = captured_profile(self.python, READ_MEGABYTES)
        ours, theirs = timeline.first_pictures(path, self.python, self.xprof, 3)
        self.bars.add(
            f"timeline: first picture of {path.stat().st_size / MEGABYTE:.0f} MB",
            f"{ours * 1e3:.0f} ms",
            f"xprof {theirs * 1e3:.0f} ms",
            theirs / ours,
            least=20,
        )


PARTS: Mapping[str, Callable[[Bench], None]] = {
    "commands": Bench.commands,
    "reading": Bench.reading,
    "large": Bench.large,
    "memory": Bench.memory,
    "fusions": Bench.fusions,
    "steps": Bench.steps,
    "overhead": Bench.overhead,
    "host": Bench.host,
    "hosts": Bench.hosts,
    "resources": Bench.resources,
    "editor": Bench.editor,
    "overview": Bench.overview,
    "graphs": Bench.graphs,
    "agents": Bench.agents,
    "queries": Bench.queries,
    "first-hour": Bench.first_hour,
    "timeline": Bench.timeline,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xprof", type=Path, required=True, help="the interpreter that has xprof")
    parser.add_argument(
        "--repetitions", type=int, default=9, help="of each reading; of each overhead 9, of that of short steps 5"
    )
    parser.add_argument("--part", choices=("all", *PARTS), default="all")
    options = parser.parse_args()
    bars = Bars()
    bench = Bench(bars, Path(sys.executable), options.xprof.absolute(), options.repetitions)
    for name, measure in PARTS.items():
        if options.part not in ("all", name):
            continue
        try:
            measure(bench)
        except Exception:
            # What the other parts measured is not lost.
            traceback.print_exc()
            bars.missed.append(f"{name}, which failed")
    Console(width=110).print(bars.table)
    if bars.missed:
        print(f"Missed: {', '.join(bars.missed)}.")
    return bool(bars.missed)


if __name__ == "__main__":
    raise SystemExit(main())
