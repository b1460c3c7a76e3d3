"""What stands after a line in the editor, and which lines carry it."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import attrs

from scopelight.analysis.lines.costs import LineCost, LineCosts
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.compare.in_text import CANNOT_TELL
from scopelight.report.cost_text import (
    flops_annotation,
    padding_annotation,
    padding_suffix,
    per_step,
    rate_text,
)
from scopelight.report.host.collectives import collectives_text, is_mostly_collective
from scopelight.report.host.waiting import (
    inclusive_bar,
    is_mostly_waiting,
    line_bar,
    waits_inclusive_text,
    waits_text,
    whole_ps,
)
from scopelight.report.language import template, text
from scopelight.report.memory.sentences import memory_annotation
from scopelight.report.numbers import duration, share, whole_share
from scopelight.report.prediction.marks import marked, predicted_times, timed

AnnotationMode = Literal["time", "phases", "flops", "padding", "memory", "change"]

_HEATS = 5
LEAST_WAITING_RATIO = 0.01
"""What devices wait for a line whose ops run longer is worth a word from here on."""
_LEAST_SHOWN_RATIO = 0.0005
"""What is less rounds to nothing."""

PHASES = (
    (template("fwd"), "forward_ps"),
    (template("bwd"), "backward_ps"),
    (template("recompute"), "recompute_ps"),
    (template("opt"), "optimizer_ps"),
    (template("other"), "other_ps"),
)
"""The phases as they are written after a line, and the fields that hold them."""


class LineAmount(NamedTuple):
    """What lines are chosen by: time, memory or padding of a line itself, and with that of all that it calls."""

    line: LineRecord
    own: float
    inclusive: float


@attrs.frozen(slots=True)
class ChosenLine:
    """A line that is worth an annotation: by its part of the wall clock, as a call site by its inclusive part, by its
    memory, or by its padding where nothing ran.

    ``share_ratio`` is of that. ``heat`` is 1 to 5 by its share of the file's greatest, 0 for a
    call site (``inclusive``). ``calls``: it is chosen by its own share, and what it calls is worth a word as well.
    """

    line: LineRecord
    inclusive: bool
    share_ratio: float
    heat: int
    calls: bool = False


def choose_lines(
    amounts: Sequence[LineAmount],
    whole: float,
    *,
    threshold_ratio: float,
    most_lines: int,
    inclusive_ratio: float,
) -> list[ChosenLine]:
    """Which of one file's lines are annotated, in order of their numbers.

    A line is when its share of the ``whole`` is at least ``threshold_ratio``, or it is one of the ``most_lines``
    hottest with a share that does not round to nothing; a line that is colder than the threshold is a call site instead
    when its inclusive share reaches ``inclusive_ratio``. What a line calls is worth a word beside its own time when
    that alone reaches it.
    """
    if whole <= 0:
        return []
    hottest = sorted(amounts, key=lambda each: (-each.own, each.line.line))
    chosen = []
    for rank, (line, own, inclusive) in enumerate(hottest):
        is_hot = own > 0 and own / whole >= threshold_ratio
        if not is_hot and inclusive / whole >= inclusive_ratio and inclusive > own:
            chosen.append(ChosenLine(line, inclusive=True, share_ratio=inclusive / whole, heat=0))
        elif is_hot or (rank < most_lines and own / whole >= _LEAST_SHOWN_RATIO):
            heat = min(_HEATS, max(1, math.ceil(own / hottest[0].own * _HEATS)))
            calls = (inclusive - own) / whole >= inclusive_ratio and inclusive > own
            chosen.append(ChosenLine(line, inclusive=False, share_ratio=own / whole, heat=heat, calls=calls))
    return sorted(chosen, key=lambda each: each.line.line)


def annotation_text(
    line: LineRecord,
    mode: AnnotationMode,
    *,
    inclusive: bool = False,
    calls: bool = False,
    stale: bool = False,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
    row: int = 0,
    whole: str = "",
    predicted_for: str | None = None,
    change: str | None = None,
) -> str | None:
    """The text after a line: ``▰▰▰▰▱ 38.2 %  12.4 ms/step  pad 1.9×``; None where a line has nothing in this mode.

    Of a line for which devices wait longer than its ops run: ``○○○○· 62.0 % of the step  device waits 364 ms/step``;
    ``whole`` is what the share is of.

    Of a line of collectives how long they wait for the last device and move data: ``waits 11.0 ms · moves 805 µs``.

    ``≈`` leads the share where more than half of the time is an estimate. Mode ``phases`` has the percent of the line's
    own time in each phase instead of the time, ``flops`` the rate and its share of the peak, ``padding`` how much of
    the work was padding, ``memory`` what the line has in memory at the peak. A call site (``inclusive``) has the
    figures of all that it called: ``╍╍╍╍╍ 71.3 % inclusive``; a line with time of its own that ``calls`` what has more
    has both: ``▰▱▱▱▱ 3.1 %  1.00 ms/step · ╍╍╍╍╍ 71.3 % inclusive``. ``stale`` says that the line was edited since.
    ``change`` follows the time where the run is compared: ``▰▰▰▰▱ 38.2 %  12.4 ms/step  +12 % since 3f2a``; ``±``, that
    it cannot be told, comes last.
    ``costs`` holds those of the line as its ``row``; until they, or the ``memory``, are known there is the time.
    Times that are ``predicted_for`` a device are marked and name it: ``▰▰▰▰▱ ≈38.2 %  ≈12.4 ms/step on TPU v5e``.
    """
    with predicted_times(predicted_for is not None):
        return _said(
            line,
            mode,
            inclusive=inclusive,
            calls=calls,
            stale=stale,
            costs=costs,
            memory=memory,
            row=row,
            whole=whole,
            device=predicted_for,
            change=change,
        )


def _said(
    line: LineRecord,
    mode: AnnotationMode,
    *,
    inclusive: bool,
    calls: bool,
    stale: bool,
    costs: LineCosts | None,
    memory: LineMemory | None,
    row: int,
    whole: str,
    device: str | None,
    change: str | None,
) -> str | None:
    if memory is not None and mode == "memory":
        said = memory_annotation(memory.of(line), memory)
    elif costs is not None and mode == "flops":
        said = flops_annotation(costs.inside(frozenset((row,))) if inclusive else costs.of(row), inclusive=inclusive)
        said = text("{amount} inclusive", amount=said) if inclusive and said else said
    elif costs is not None and mode == "padding":
        padding = None if inclusive else costs.padding(row)
        said = padding_annotation(padding, costs.target) if padding is not None else None
    elif inclusive:
        said = _inclusive_text(line)
    else:
        said = _own_text(line, mode, costs, row, whole, device, change)
        if calls:
            said = f"{said} · {_inclusive_text(line)}"
    return _marked_as_edited(said) if said and stale else said


def _inclusive_text(line: LineRecord) -> str:
    waits = waits_inclusive_text(line)
    amount = text("{amount} inclusive", amount=timed(share(line.inclusive_share_ratio)))
    return f"{inclusive_bar(line)} {amount}{f'  {waits}' if waits else ''}"


def _own_text(
    line: LineRecord,
    mode: AnnotationMode,
    costs: LineCosts | None,
    row: int,
    whole: str,
    device: str | None,
    change: str | None,
) -> str:
    """What stands after a line of its own time."""
    of_step = f"{line_bar(line)} {timed(share(line.share_ratio), is_estimated=is_estimated(line))}"
    compared = change if mode == "time" else None
    untold = f" {compared}" if compared == CANNOT_TELL else ""
    changed = f"  {compared}" if compared is not None and not untold else ""
    if is_mostly_waiting(line):
        of_step = text("{share} {of_whole}", share=of_step, of_whole=whole) if whole else of_step
        return f"{of_step}  {waits_text(line)}{changed}{untold}"
    said = f"{of_step}  {phases_text(line) if mode == 'phases' else time_text(whole_ps(line), line.per_step_ps)}"
    if device is not None:
        said = on_device(said, device)
    said += changed
    if mode == "time" and is_mostly_collective(line):
        said += f"  {collectives_text(line)}"
    if line.waiting_share_ratio >= LEAST_WAITING_RATIO and mode == "time":
        said += f"  {waits_text(line)}"
    if costs is not None and mode == "time":
        said += padding_suffix(costs.padding(row), costs.target)
    return said + untold


def _marked_as_edited(said: str) -> str:
    """The mark follows the first fact: after more of them it would be what the edge of a window cuts off."""
    first, separator, more = said.partition(" · ")
    return f"{text('{fact} (edited since)', fact=first)}{separator}{more}"


def time_text(time_ps: int, per_step_ps: int | None) -> str:
    """``12.4 ms/step``; the sum where the time is not of steps."""
    return duration(time_ps) if per_step_ps is None else per_step(duration(per_step_ps))


def on_device(said: str, device: str) -> str:
    """``≈12.4 ms/step on TPU v5e``, of what is predicted for it."""
    return text("{amount} on {device}", amount=said, device=device)


def phases_text(line: LineRecord) -> str:
    """Percent of the line's self time by phase, without those that round to nothing: ``fwd 20 bwd 56``."""
    if not line.self_ps:
        return ""
    parts = [(name, getattr(line, field) / line.self_ps * 100) for name, field in PHASES]
    return " ".join(f"{text(name)} {percent:.0f}" for name, percent in parts if percent >= 0.5)


def greatest_phase(line: LineRecord) -> str:
    """The name of the phase that most of the line's self time is in: ``bwd``."""
    name, _ = max(PHASES, key=lambda phase: getattr(line, phase[1]))
    return text(name)


def is_estimated(line: LineRecord) -> bool:
    """Whether more than half of the line's time was divided among lines by cost, taken from neighbours, or sampled."""
    if is_mostly_waiting(line):
        return line.basis == "estimated"
    return sum(op.self_ps for op in line.ops if op.shared or op.inherited) * 2 > line.self_ps


@marked
def lens_title(
    name: str,
    inclusive_wall_ps: int,
    record: LinesRecord,
    cost: LineCost | None = None,
) -> str:
    """What stands above a function or scope: ``mlp · 46 % · 15.1 ms/step · 412 GFLOP/s``."""
    ratio = inclusive_wall_ps / max(1, record.wall.wall_ps if record.wall is not None else 0)
    steps = record.extent.steps * record.extent.devices
    time = time_text(inclusive_wall_ps, round(inclusive_wall_ps / steps) if steps else None)
    rate = rate_text(cost) if cost is not None else None
    facts = (name, timed(whole_share(ratio)), time, rate)
    said = " · ".join(fact for fact in facts if fact is not None)
    return said if record.predicted_for is None else on_device(said, record.predicted_for)
