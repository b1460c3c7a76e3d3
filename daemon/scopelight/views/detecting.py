"""How many rounds show a change of a given size, by how much those of a pilot differ."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

from scopelight.analysis.compare.records import ComparedQuantity, ComparisonRecord
from scopelight.analysis.compare.statistics import evidence, rounds_needed
from scopelight.views.comparing import compare_paths

STEADIEST_FIRST: Final = ("cpu-time", "device-time", "step")
"""The quantity whose change is looked for: where the CPU is the device its time on cores, else the device's own."""


@attrs.frozen(slots=True)
class DetectingRounds:
    """How many rounds show a change of ``quantity``; None where no number that may be made does.

    The quantity is None where no time of a step is known of every round.
    """

    quantity: ComparedQuantity | None = None
    rounds: int | None = None


def rounds_that_detect(
    before: Sequence[Path], after: Sequence[Path], ratio: float, most: int, *folders: Path
) -> DetectingRounds:
    """How many rounds like these, at most ``most``, show a change by ``ratio`` of the steadiest time of a step."""
    quantity = steadiest(compare_paths(before, after, "line", *folders))
    if quantity is None:
        return DetectingRounds()
    rounds = [
        (earlier, later)
        for earlier, later in zip(quantity.before_rounds, quantity.after_rounds, strict=False)
        if earlier is not None and later is not None
    ]
    found = evidence([earlier for earlier, _ in rounds], [later for _, later in rounds])
    if found is None or not math.isfinite(found.spread):
        return DetectingRounds(quantity)
    return DetectingRounds(quantity, rounds_needed(found.spread, ratio, most))


def steadiest(record: ComparisonRecord) -> ComparedQuantity | None:
    """The steadiest quantity of whole steps that every round of a comparison has; None where none is."""
    by_name = {each.name: each for each in record.quantities}
    return next(
        (
            by_name[name]
            for name in STEADIEST_FIRST
            if name in by_name and all((*by_name[name].before_rounds, *by_name[name].after_rounds))
        ),
        None,
    )
