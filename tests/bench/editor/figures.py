"""How soon the editor answers a person with a run open, and how soon it must."""

from pathlib import Path

from bars import Bars
from bench import MEGABYTE, ROOT, Bench
from browser import editor_figures
from editor import hovering
from profiles import captured_profile, events_of

OPENED_MEGABYTES = 31
"""In the editor: the least that holds 500,000 events."""


def add_editor(bench: Bench) -> None:
    """A run opened in the editor, its hover cards, the panel Op Profile, and what changed since another run."""
    path = captured_profile(bench.python, OPENED_MEGABYTES)
    _add_opening(bench.bars, path, events_of(bench.python, path), editor_figures("bench:editor", str(path)))
    hover = hovering.hover_seconds(path, ROOT / "daemon" / "examples" / "transformer.py", bench.python)
    bench.bars.add_milliseconds("editor: hover answered, p99", hover * 1e3, most=50)
    _add_op_profile(bench.bars, editor_figures("bench:op-profile"))
    compared = editor_figures("bench:comparison")
    # Ten runs are read for it.
    bench.bars.add_milliseconds("editor: five rounds compared → +N % on the line", compared["compare_ms"], most=2000)
    bench.bars.add_milliseconds("editor: compared file opened → +N % on the line", compared["open_ms"], most=1000)


def _add_opening(bars: Bars, path: Path, events: int, figures: dict[str, float]) -> None:
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


def _add_op_profile(bars: Bars, figures: dict[str, float]) -> None:
    bars.report("op profile of 28,000 instructions", f"{figures['rows']:,.0f} rows")
    for action in ("expand", "sort", "search"):
        bars.add_milliseconds(f"op profile: {action}, at work", figures[f"{action}_ms"], most=100)
    elements = figures["elements"]
    bars.add("op profile: elements on the page", f"{elements:,.0f}", "", elements, most=2000)
