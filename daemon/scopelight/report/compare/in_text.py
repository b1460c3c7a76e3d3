"""What stands of a comparison in the text: a change after a line, and all that tells of it on the line's card."""

from scopelight.analysis.compare.line_changes import LineChanges, flops_change_ratio
from scopelight.analysis.compare.records import ComparedRow
from scopelight.report.compare import verdicts
from scopelight.report.foreign_text import markdown_text
from scopelight.report.language import template, text
from scopelight.report.numbers import count, duration, flops
from scopelight.report.prediction.marks import timed

CANNOT_TELL = "\N{PLUS-MINUS SIGN}"


def told_change(row: ComparedRow) -> str | None:
    """``+12 %``, ``+97 % CPU time``, ``new``, ``FLOPs +10 %``; None where nothing can be told, or nothing changed.

    The time that stands beside it is that of the clock: what is of CPU time says so. What is predicted is marked
    (`predicted_times`): ``≈+12 %``.
    """
    return _told(row, template("{change} CPU time"))


def _told(row: ComparedRow, of_cpu_time: str) -> str | None:
    if row.verdict == "only-after":
        return text("new")
    if row.verdict in ("worse", "better"):
        ratio = verdicts.shown_ratio(row)
        said = timed(verdicts.signed(ratio)) if ratio is not None else verdicts.row_verdict(row)
        return text(of_cpu_time, change=said) if row.judged_by == "cpu-time" else said
    ratio = flops_change_ratio(row)
    return None if ratio is None else text("FLOPs {change}", change=verdicts.signed(ratio))


def change_in_text(row: ComparedRow, changes: LineChanges) -> str | None:
    """``+12 % since 3f2a``; ``±`` where it cannot be told, None where it is the same."""
    told = told_change(row)
    if told is not None:
        return text("{change} since {what}", change=told, what=changes.since)
    return CANNOT_TELL if row.verdict == "cannot-tell" else None


def change_in_column(row: ComparedRow) -> str | None:
    """``+12 %`` alone, for the column left of the code; ``+97 % CPU``."""
    return _told(row, template("{change} CPU")) or (CANNOT_TELL if row.verdict == "cannot-tell" else None)


def change_paragraph(row: ComparedRow, changes: LineChanges) -> str:
    """What became of a line, for its card: both values, how sure the change is, what it rests on, what was paired.

    In Markdown.
    """
    record = changes.record
    lead = told_change(row) or (text("cannot tell") if row.verdict == "cannot-tell" else text("no change"))
    since = text("{change} since {what}", change=lead, what=changes.since)
    facts = [
        _times(row, per_step=record.has_steps),
        _cpu_times(row, per_step=record.has_steps),
        _interval(row),
        _visible(row),
        _flops(row),
        text("one run each") if record.rounds == 1 else text("means of {count} rounds", count=count(record.rounds)),
        _evidence(row),
        _paired(row),
    ]
    return f"**{markdown_text(since)}** · {markdown_text(' · '.join(fact for fact in facts if fact))}"


def _times(row: ComparedRow, *, per_step: bool) -> str:
    if row.before_ps is None or row.after_ps is None:
        only = row.after_ps if row.before_ps is None else row.before_ps
        return "" if only is None else _per_step(duration(only), per_step=per_step)
    arrow = f"{duration(row.before_ps)} \N{RIGHTWARDS ARROW} {duration(row.after_ps)}"
    change = ", ".join(filter(None, (verdicts.change_of_row(row), verdicts.signed(row.change_ratio))))
    said = f"{_per_step(arrow, per_step=per_step)} ({change if row.change_ps else text('the same')})"
    return text("wall clock {change}", change=said) if _has_cpu_times(row) else said


def _evidence(row: ComparedRow) -> str:
    if row.judged_by == "exact":
        return text("exact: what programs say of themselves")
    return text("judged by {what}", what=verdicts.evidence_name(row.judged_by))


def _has_cpu_times(row: ComparedRow) -> bool:
    """Whether the verdict is on CPU time, and not on the clock."""
    return row.judged_by == "cpu-time" and row.before_cpu_ps is not None and row.after_cpu_ps is not None


def _cpu_times(row: ComparedRow, *, per_step: bool) -> str:
    """What the verdict is on, where that is not the clock; and what was told, where that is not their ratio."""
    if not _has_cpu_times(row) or row.before_cpu_ps is None or row.after_cpu_ps is None:
        return ""
    arrow = f"{duration(row.before_cpu_ps)} \N{RIGHTWARDS ARROW} {duration(row.after_cpu_ps)}"
    said = text("CPU time {change}", change=_per_step(arrow, per_step=per_step))
    if not row.before_cpu_ps:
        return said
    ratio = verdicts.signed(row.after_cpu_ps / row.before_cpu_ps - 1)
    told = verdicts.signed(row.judged_change_ratio)
    if not told or told == ratio:
        return f"{said} ({ratio})"
    if row.controlled:
        why = text("{told} with what happened to all that is unchanged taken out", told=told)
    else:
        why = text("{told} from round to round", told=told)
    return f"{said} ({ratio}; {why})"


def _per_step(said: str, *, per_step: bool) -> str:
    return text("{time}/step", time=said) if per_step else said


def _interval(row: ComparedRow) -> str:
    if row.judged_interval is None:
        return ""
    low, high = map(verdicts.signed, row.judged_interval)
    if row.judged_by == "cpu-time":
        return text("95 % of CPU time: {low} to {high}", low=low, high=high)
    return text("95 %: {low} to {high}", low=low, high=high)


def _visible(row: ComparedRow) -> str:
    if row.visible_ratio is None:
        return ""
    visible = verdicts.share_in_full(row.visible_ratio)
    if row.judged_by == "cpu-time":
        return text("{visible} or more of CPU time would have been seen", visible=visible)
    return text("{visible} or more would have been seen", visible=visible)


def _flops(row: ComparedRow) -> str:
    ratio = flops_change_ratio(row)
    if ratio is None or row.before_flops is None or row.after_flops is None:
        return ""
    arrow = f"{flops(row.before_flops)} \N{RIGHTWARDS ARROW} {flops(row.after_flops)}"
    return f"{arrow} ({verdicts.signed(ratio)})"


def _paired(row: ComparedRow) -> str:
    if row.before_line is None or row.paired_by is None:
        return text("there is none before") if row.verdict == "only-after" else ""
    return text("line {line} before: {pairing}", line=row.before_line, pairing=verdicts.pairing_name(row.paired_by))
