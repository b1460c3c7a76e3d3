"""The record of the flame graph: a tree of frames with what each weighs."""

from typing import Literal

import attrs

from scopelight.analysis.flame.options import FlameMeasure
from scopelight.analysis.records import ExtentRecord, Phase, ViewRecord

FlameUnit = Literal["ps", "flops", "bytes"]

FlameKind = Literal["frame", "library", "without-source"]
"""A position in Python source; code that only library frames lead to, where those are folded; ops without any stack."""


@attrs.frozen(slots=True)
class FlamePhase:
    """The part of a row's inclusive value that belongs to one phase."""

    phase: Phase
    value: int


@attrs.frozen(slots=True)
class FlameOp:
    """An op that was traced on a row's line itself, by the row's stack; ``value`` is its part of the row's.

    ``phase`` is the one that most of its time belongs to.
    """

    key: str
    name: str
    primitive: str
    phase: Phase
    value: int


@attrs.frozen(slots=True)
class FlameRow:
    """A frame below the frames that called it; the same line under other callers is another row.

    ``self_ps`` and ``inclusive_ps`` are op time, whatever is measured; ``self_value`` and ``inclusive_value`` are what
    is measured, in the unit of the record. ``parent`` is the key of the caller's row, None at the top;
    ``line_key`` that of the line as in Hot Lines, None for what is no frame. ``start_ps`` is when the first op below
    the row began first, None where none ran. Of the ``ops`` the largest are named.
    """

    key: str
    parent: str | None
    kind: FlameKind
    line_key: str | None
    function: str
    path: str | None
    file: str | None
    line: int | None
    is_library: bool
    start_ps: int | None
    self_ps: int
    inclusive_ps: int
    self_value: int
    inclusive_value: int
    phases: tuple[FlamePhase, ...]
    ops: tuple[FlameOp, ...]


@attrs.frozen(slots=True)
class FlameRecord(ViewRecord):
    """The flame graph of a profile. Callers come before the frames that they call, and among those the largest first.

    The self times of all rows sum to ``op_time_ps``, and their self values to ``total``, exactly. Those are of all that
    the extent has: of ten steps on two devices, a value divided by twenty is one per step and device.
    """

    op_time_ps: int
    measure: FlameMeasure
    unit: FlameUnit
    total: int
    extent: ExtentRecord
    rows: tuple[FlameRow, ...]
