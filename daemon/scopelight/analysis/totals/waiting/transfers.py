"""Transfers that devices wait for, whoever asks for them."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import attrs

from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.charging import WaitingOfScope
from scopelight.findings import Finding, advice

_LEAST: Final = 0.05
"""Of the wall clock of the steps: of less nothing is said."""


def transfer_advice(centre: Centre, waiting: WaitingOfScope, wall_ps: int, parts: int) -> Iterator[Finding]:
    """What to do about transfers of steps that take ``wall_ps`` together, ``parts`` of steps and devices."""
    whole_ps = waiting.classes_ps.get("transfer", 0)
    if not parts or whole_ps < _LEAST * wall_ps:
        return
    lines = Counter({each.frame: each.classes_ps.get("transfer", 0) for each in waiting.lines.values()})
    longest = max(lines, key=lambda frame: (lines[frame], frame.path, -frame.line), default=None)
    place = centre.frames.place(longest) if longest is not None and lines[longest] else None
    found = advice(
        "steps-wait-for-transfers",
        transfer_ratio=whole_ps / max(1, wall_ps),
        per_step_ps=round(whole_ps / parts),
        file=None if place is None else place.path,
        line=None if place is None else place.line,
    )
    yield found if longest is None or place is None else attrs.evolve(found, evidence=(centre.line_key(longest),))
