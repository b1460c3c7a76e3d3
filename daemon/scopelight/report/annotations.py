"""What stands after a line in the editor, and which lines carry it."""

import math
from collections.abc import Sequence
from typing import Literal

import attrs

from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.numbers import bar, duration, share, whole_share

_HEATS = 5
_LEAST_SHOWN_RATIO = 0.0005
"""What is less rounds to nothing."""

PHASES = (
    ("fwd", "forward_ps"),
    ("bwd", "backward_ps"),
    ("recompute", "recompute_ps"),
    ("opt", "optimizer_ps"),
    ("other", "other_ps"),
)
"""The phases as they are written after a line, and the fields that hold them."""


@attrs.frozen(slots=True)
class ChosenLine:
    """A line that is worth an annotation: by its self time, or as a call site by its inclusive time.

    ``share_ratio`` is of that time. ``heat`` is 1 to 5 by the self time's share of the file's greatest, 0 for a
    call site.
    """

    line: LineRecord
    inclusive: bool
    share_ratio: float
    heat: int


def choose_lines(
    lines: Sequence[LineRecord],
    op_time_ps: int,
    *,
    threshold_ratio: float,
    most_lines: int,
    inclusive_ratio: float,
) -> list[ChosenLine]:
    """Which of one file's ``lines`` are annotated, in order of their numbers.

    A line is when its share is at least ``threshold_ratio``, or it is one of the ``most_lines`` hottest with a share
    that does not round to nothing; a line that is colder than the threshold is a call site instead when its
    inclusive share reaches ``inclusive_ratio``.
    """
    if op_time_ps <= 0:
        return []
    hottest = sorted(lines, key=lambda line: (-line.self_ps, line.line))
    greatest_ps = hottest[0].self_ps if hottest else 0
    chosen = []
    for rank, line in enumerate(hottest):
        self_ratio = line.self_ps / op_time_ps
        whole_ratio = line.inclusive_ps / op_time_ps
        is_hot = line.self_ps > 0 and self_ratio >= threshold_ratio
        if not is_hot and whole_ratio >= inclusive_ratio and line.inclusive_ps > line.self_ps:
            chosen.append(ChosenLine(line, inclusive=True, share_ratio=whole_ratio, heat=0))
        elif is_hot or (rank < most_lines and self_ratio >= _LEAST_SHOWN_RATIO):
            heat = min(_HEATS, max(1, math.ceil(line.self_ps / greatest_ps * _HEATS)))
            chosen.append(ChosenLine(line, inclusive=False, share_ratio=self_ratio, heat=heat))
    return sorted(chosen, key=lambda each: each.line.line)


def annotation_text(
    line: LineRecord,
    record: LinesRecord,
    mode: Literal["time", "phases"],
    *,
    inclusive: bool = False,
    stale: bool = False,
) -> str:
    """The text after a line: ``▰▰▰▰▱ 38.2 %  12.4 ms/step``.

    ``≈`` leads the share where more than half of the time is an estimate. Mode ``phases`` has the percent of the line's
    own time in each phase instead of the time. A call site (``inclusive``) has its inclusive share alone. ``stale``
    says that the line was edited since.
    """
    whole_ps = max(1, record.op_time_ps)
    suffix = " (edited since)" if stale else ""
    if inclusive:
        return f"{bar(0)} {share(line.inclusive_ps / whole_ps)} inclusive{suffix}"
    ratio = line.self_ps / whole_ps
    estimated = "≈" if is_estimated(line) else ""
    facts = phases_text(line) if mode == "phases" else time_text(line.self_ps, line.per_step_ps)
    return f"{bar(ratio)} {estimated}{share(ratio)}  {facts}{suffix}"


def time_text(self_ps: int, per_step_ps: int | None) -> str:
    """``12.4 ms/step``; without steps, or where all of it lies outside of them, the sum over the window."""
    return f"{duration(per_step_ps)}/step" if per_step_ps else duration(self_ps)


def phases_text(line: LineRecord) -> str:
    """Percent of the line's self time by phase, without those that round to nothing: ``fwd 20 bwd 56``."""
    if not line.self_ps:
        return ""
    parts = [(name, getattr(line, field) / line.self_ps * 100) for name, field in PHASES]
    return " ".join(f"{name} {percent:.0f}" for name, percent in parts if percent >= 0.5)


def is_estimated(line: LineRecord) -> bool:
    """Whether more than half of the line's time was divided among lines by cost, or taken from neighbours."""
    return sum(op.self_ps for op in line.ops if op.shared or op.inherited) * 2 > line.self_ps


def lens_title(name: str, inclusive_ps: int, inclusive_per_step_ps: int | None, record: LinesRecord) -> str:
    """What stands above a function or scope: ``mlp · 46 % · 15.1 ms/step``."""
    ratio = inclusive_ps / max(1, record.op_time_ps)
    return f"{name} · {whole_share(ratio)} · {time_text(inclusive_ps, inclusive_per_step_ps)}"
