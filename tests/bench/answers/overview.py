"""How long the panel Overview waits for its record, over the pipe, once a profile was opened."""

import statistics
from pathlib import Path

import attrs
from daemon import Daemon


@attrs.frozen(slots=True)
class OverviewFigures:
    """Seconds: the first time that a profile is asked about in a daemon that has answered for another, and again."""

    first_seconds: float
    again_seconds: float


def measure(path: Path, small: Path, python: Path, repetitions: int) -> OverviewFigures:
    """``small`` is the profile that is asked about before."""
    first, again = [], []
    for _ in range(repetitions):
        with Daemon(python) as daemon:
            for each in (small, path):
                daemon.answer("scopelight/openRun", {"path": str(each)})
                seconds, view = daemon.seconds("scopelight/view/overview", {})
                assert view["record"]["steps"]
            first.append(seconds)
            again.append(daemon.seconds("scopelight/view/overview", {})[0])
    return OverviewFigures(statistics.median(first), statistics.median(again))
