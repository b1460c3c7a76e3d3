"""What stands in a column left of the code: a bar and one figure, so that every line gives it the same room."""

from scopelight.analysis.lines.costs import LineCosts, LinePadding
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.memory.plan.records import MemoryLine
from scopelight.analysis.records import LineRecord
from scopelight.report.annotations import AnnotationMode, greatest_phase, is_estimated
from scopelight.report.cost_text import flops_level
from scopelight.report.host.waiting import inclusive_bar, is_mostly_waiting, line_bar
from scopelight.report.language import text
from scopelight.report.memory.sentences import memory_amount
from scopelight.report.numbers import level_bar, share
from scopelight.report.padding_sentences import factor
from scopelight.report.prediction.marks import predicted_times, timed

_FIGURE = 7
"""``≈38.2 %``: shorter figures end in the same column."""


def compact_annotation(
    line: LineRecord,
    mode: AnnotationMode,
    *,
    inclusive: bool = False,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
    row: int = 0,
    is_predicted: bool = False,
) -> str | None:
    """``▰▰▰▰▱  38.2 %`` of what `annotation_text` says; None where that has no figure in this mode.

    In mode ``phases`` the name of the phase that most of the line's own time is in follows: ``▰▰▰▰▱  38.2 % bwd``.
    What ``is_predicted`` is marked: ``▰▰▰▰▱ ≈38.2 %``.
    """
    with predicted_times(is_predicted):
        return _figure(line, mode, inclusive=inclusive, costs=costs, memory=memory, row=row)


def _figure(
    line: LineRecord,
    mode: AnnotationMode,
    *,
    inclusive: bool,
    costs: LineCosts | None,
    memory: LineMemory | None,
    row: int,
) -> str | None:
    if memory is not None and mode == "memory":
        return _of_memory(memory.of(line), memory)
    if costs is not None and mode == "flops":
        cost = costs.inside(frozenset((row,))) if inclusive else costs.of(row)
        return flops_level(cost, _FIGURE, inclusive=inclusive)
    if costs is not None and mode == "padding":
        return _of_padding(None if inclusive else costs.padding(row))
    if inclusive:
        return f"{inclusive_bar(line)} {timed(share(line.inclusive_share_ratio)):>{_FIGURE}}"
    figure = timed(share(line.share_ratio), is_estimated=is_estimated(line))
    said = f"{line_bar(line)} {figure:>{_FIGURE}}"
    return f"{said} {greatest_phase(line)}" if mode == "phases" and not is_mostly_waiting(line) else said


def _of_memory(line: MemoryLine | None, memory: LineMemory) -> str | None:
    if line is None or not line.bytes:
        return None
    drawn, amount = memory_amount(line, memory)
    return f"{drawn} {amount:>{_FIGURE}}"


def _of_padding(padding: LinePadding | None) -> str | None:
    if padding is None:
        return None
    fits = padding.used_ratio > 0.995
    figure = text("fits") if fits else factor(padding.used_ratio)
    # What is said of another device is never shown as if it were of this one.
    figure = f"≈{figure}" if padding.predicted and not fits else figure
    return f"{level_bar(0 if fits else 1 - padding.used_ratio)} {figure:>{_FIGURE}}"
