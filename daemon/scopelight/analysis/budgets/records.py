"""Records of budgets: what is allowed, what a run took, and whether that is within it."""

from fractions import Fraction
from typing import ClassVar, Literal

import attrs

from scopelight.analysis.budgets.kinds import KINDS, BudgetKind, Place, Steadiness, Unit
from scopelight.analysis.records import ViewRecord
from scopelight.findings import Finding

Verdict = Literal["held", "broken", "cannot-tell", "not-measured"]
"""Within the limit; above it; so near to it that one run does not tell; or nothing of the run says it."""
BudgetBasis = Literal["measured", "planned", "counted"]
"""Whether clocks and allocators say it, the compiler's plan of memory, or programs and how often they ran."""
BudgetSpread = Literal["expected", "rounds", "interval"]
"""What runs of the same code may be expected to take beside the one that was made; what rounds of it did take; or the
interval that holds a change (95 %)."""


@attrs.frozen
class Budget:
    """A limit as the file has it: of ``name``, at most ``limit`` of the unit of its kind, at the 1-based ``line``.

    ``place`` is as it is written there (``train.py:train_step``), None for the whole run; ``file`` is relative to the
    folder of the file of budgets.
    """

    name: str
    limit: Fraction
    line: int
    place: str | None = None
    file: str | None = None
    function: str | None = None

    @property
    def kind(self) -> BudgetKind:
        """What it is a budget of."""
        return KINDS[self.name]

    @property
    def place_kind(self) -> Place:
        """Whether it is of a function, a file or the run."""
        return "function" if self.function is not None else "file" if self.file is not None else "run"


@attrs.frozen(slots=True)
class BudgetProblem:
    """What is wrong with the budget at a 1-based ``line`` of the file of budgets, which is then not looked at."""

    line: int
    finding: Finding


@attrs.frozen(slots=True)
class BudgetRow:
    """One budget, and what the run took of it.

    ``limit``, ``value``, ``least`` and ``greatest`` are in ``unit``. The last two are how far it may be from ``value``,
    as ``spread`` says: both are ``value`` itself where it is exact, and None where nothing tells. ``over`` is how much
    more than the limit it took, negative where it took less, and ``over_ratio`` the same of the limit; None where that
    is 0.
    ``path``, ``file`` and ``line`` are where the budget is to be shown: the line of the function as its file is now,
    the first line of a file, or the budget's own in ``config``'s file. ``config_line`` is the last, always.
    ``findings`` say what the value is of, or why there is none.
    """

    key: str
    name: str
    place: str | None
    function: str | None
    place_kind: Place
    unit: Unit
    limit: float
    value: float | None
    least: float | None
    greatest: float | None
    over: float | None
    over_ratio: float | None
    verdict: Verdict
    steadiness: Steadiness
    basis: BudgetBasis | None
    spread: BudgetSpread | None
    path: str | None
    file: str | None
    line: int
    config_line: int
    findings: tuple[Finding, ...] = ()


@attrs.frozen(slots=True)
class ChangesSince:
    """What changes are since: the run at ``path``, or as many ``rounds`` in the folder there, of a ``revision``."""

    path: str
    rounds: int = 1
    revision: str | None = None


@attrs.frozen(slots=True)
class BudgetsRecord(ViewRecord):
    """Every budget of a project, held against one run, in the order of the file ``config``.

    Of several ``rounds`` of one, ``run`` is the folder that they are in. ``problems`` are of budgets that mean nothing,
    which have no row. ``since`` is None where nothing is there to compare with. ``findings`` are also what is to be
    known of that comparison.
    """

    ROWS: ClassVar = "rows"

    run: str | None = None
    rounds: int = 1
    since: ChangesSince | None = None
    config: str | None = None
    rows: tuple[BudgetRow, ...] = ()
    problems: tuple[BudgetProblem, ...] = ()

    def of(self, verdict: Verdict) -> tuple[BudgetRow, ...]:
        """The rows of a verdict."""
        return tuple(row for row in self.rows if row.verdict == verdict)
