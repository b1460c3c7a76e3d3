"""What a newcomer waits for: from the click in a clean profile to the first annotated line, by part."""

from collections.abc import Mapping

from bars import Bars
from bench import Bench
from browser import printed_figures

WITH_INSTALLATION_SECONDS = 45
"""From the click to the first annotated line, with the daemon's installation."""
WITHOUT_SECONDS = 15
"""The same without, beside the time that the script takes to start."""
OURS_SECONDS = 5
"""Of all that, what is neither the script's start, nor compilation, nor the window."""

Parts = Mapping[str, float]


def add_first_hour(bench: Bench) -> None:
    """Both ways to the first annotated line: in a profile that has nothing, and where the daemon is installed."""
    _add_ways(bench.bars, *printed_figures("bench:first-hour", str(bench.xprof)))


def _add_ways(bars: Bars, with_installation: Parts, without: Parts) -> None:
    """Put both ways to the first annotated line into the table, each with its parts."""
    for way, parts in (("installed first", with_installation), ("installed", without)):
        for name, seconds in parts.items():
            if name != "total" and (name != "installation" or seconds):
                bars.report(f"first line, {way}: {name.replace('_', ' ')}", f"{seconds:.1f} s")
    total = with_installation["total"]
    bars.add("first line, installed first: s", f"{total:.1f} s", "", total, most=WITH_INSTALLATION_SECONDS)
    seconds = without["total"] - without["script_start"]
    bars.add(
        "first line, installed: s beside the script's start", f"{seconds:.1f} s", "", seconds, most=WITHOUT_SECONDS
    )
    ours = seconds - without["compilation"] - without["window"]
    bars.add("first line: of it neither compilation nor window, s", f"{ours:.1f} s", "", ours, most=OURS_SECONDS)
