"""Records of hardware counters."""

from typing import ClassVar

import attrs

from scopelight.analysis.records import ViewRecord


@attrs.frozen(slots=True)
class CounterMetric:
    """A counter: its mean while ops ran and over all that was sampled, its least and greatest, a value each
    ``period_ps``. Those of several devices are taken together."""

    name: str
    unit: str
    mean_busy: float | None
    mean: float | None
    least: float
    greatest: float
    period_ps: int
    samples: int


@attrs.frozen(slots=True)
class CounterRow:
    """An op, or a kernel, and by counter of the record its mean while the op ran, None where nothing was sampled.

    ``sampled_ratio`` is how much of its time lay between samples; ``is_short``: its runs are shorter than a sample, so
    that values are also of what ran beside it.
    """

    key: str
    name: str
    primitive: str
    category: str
    path: str | None
    file: str | None
    line: int | None
    executions: int
    op_time_ps: int
    share_ratio: float
    values: tuple[float | None, ...]
    sampled_ratio: float
    is_short: bool


@attrs.frozen(slots=True)
class CountersRecord(ViewRecord):
    """What devices counted while each op ran, most op time first; or, in ``findings``, why nothing was counted."""

    ROWS: ClassVar = "rows"

    device: str | None = None
    device_names: tuple[str, ...] = ()
    counters: tuple[CounterMetric, ...] = ()
    rows: tuple[CounterRow, ...] = ()
    op_time_ps: int = 0
