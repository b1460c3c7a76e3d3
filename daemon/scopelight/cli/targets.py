"""Prints predicted runs of one script side by side."""

from collections.abc import Sequence
from pathlib import Path

from scopelight.cli.json_output import print_json
from scopelight.cli.output import console

MOST_LINES = 30


def print_targets(named: Sequence[tuple[str, Path]], *, as_json: bool = False, limit: int = MOST_LINES) -> None:
    """Print the comparison of runs, each by the name that tells it from the others, to standard output."""
    from scopelight.report.targets.terminal import render_targets  # noqa: PLC0415 (they load while nobody waits)
    from scopelight.views.targets import compared_targets  # noqa: PLC0415

    record = compared_targets(named, Path.cwd())
    if as_json:
        print_json(record)
    else:
        render_targets(record, console(), base=Path.cwd(), limit=limit)
