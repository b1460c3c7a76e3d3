"""The kinds of budgets: what each is of, in which unit, for which places, and how surely one run tells it."""

from collections.abc import Mapping
from typing import Literal

import attrs

Place = Literal["run", "function", "file"]
"""What a budget is of: the whole run; one function with all that it calls; all lines of a file with what they call."""
Unit = Literal["ps", "bytes", "count", "ratio"]
"""In what limits and values are counted."""
Steadiness = Literal["exact", "steady", "noisy"]
"""Whether another run of the same code gives the same, nearly the same, or, as a wall clock does, something else."""


@attrs.frozen
class BudgetKind:
    """A kind of budget, which is always a limit from above.

    ``written`` is how many of ``unit`` one of the file's unit is: picoseconds in a millisecond. ``compares``: it is of
    what has changed since another run. ``steadiness`` is that of its quantity where nothing better is known.
    """

    name: str
    unit: Unit
    places: tuple[Place, ...]
    steadiness: Steadiness
    written: int = 1
    compares: bool = False
    is_share: bool = False
    """At most 1, as part of a whole."""


_EVERYWHERE: tuple[Place, ...] = ("run", "function", "file")

KINDS: Mapping[str, BudgetKind] = {
    kind.name: kind
    for kind in (
        BudgetKind("step_ms", "ps", _EVERYWHERE, "noisy", written=10**9),
        BudgetKind("peak_memory_gib", "bytes", ("run",), "steady", written=2**30),
        BudgetKind("compilations", "count", ("run", "function"), "exact"),
        BudgetKind("padding_ratio", "ratio", ("run",), "exact", is_share=True),
        BudgetKind("share", "ratio", ("function", "file"), "noisy", is_share=True),
        BudgetKind("waiting_share", "ratio", _EVERYWHERE, "noisy", is_share=True),
        BudgetKind("flops_change", "ratio", ("run",), "exact", compares=True),
        BudgetKind("step_change", "ratio", ("run",), "noisy", compares=True),
        BudgetKind("peak_memory_change", "ratio", ("run",), "steady", compares=True),
        BudgetKind("compilations_change", "count", ("run",), "exact", compares=True),
    )
}
"""Every kind by the name that it has in ``pyproject.toml``."""
