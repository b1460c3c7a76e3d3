"""How soon the memory of a large program is analysed and shown, and how soon it must be."""

import os

from bars import Bars
from bench import CACHE, Bench
from browser import editor_figures
from memory import memory


def add_memory(bench: Bench) -> None:
    """The analysis of a large program, and its panel."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    _add_analysis(bench.bars, memory.measure(memory.captured_program(bench.python, CACHE, environment)))
    _add_viewer(bench.bars, editor_figures("bench:memory-viewer"))


def _add_analysis(bars: Bars, figures: memory.MemoryFigures) -> None:
    bars.report("memory: program", f"{figures.instructions:,} instructions", f"{figures.buffers:,} buffers")
    bars.add("memory: instructions, at least", f"{figures.instructions:,}", "", figures.instructions, least=24_000)
    bars.add_milliseconds("memory: analysis of it, the first", figures.first_seconds * 1e3, most=1000)
    bars.add_milliseconds("memory: analysis of it, warm", figures.warm_seconds * 1e3, most=1000)


def _add_viewer(bars: Bars, figures: dict[str, float]) -> None:
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
