"""What the parts of the benchmark measure with."""

import os
from pathlib import Path

import attrs
from bars import Bars

ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scopelight-bench"
"""Of what is made once and measured often."""
MEGABYTE = 1e6


@attrs.frozen(slots=True)
class Bench:
    """``python`` has Scopelight, ``xprof`` is the interpreter that has xprof."""

    bars: Bars
    python: Path
    xprof: Path
    repetitions: int
