"""Compares two runs, or rounds of two: pairs the rows of one grouping, judges each, and adds up what is left over."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from scopelight.analysis.compare.circumstances import circumstances, findings_of, side_of
from scopelight.analysis.compare.entries import Rounds, Table, rounds_of
from scopelight.analysis.compare.judging import Judgement, judge
from scopelight.analysis.compare.pairing import Pair, PairedLines, pairs
from scopelight.analysis.compare.quantities import quantities
from scopelight.analysis.compare.records import (
    ComparedBy,
    ComparedRow,
    ComparedTotals,
    ComparisonRecord,
)
from scopelight.analysis.compare.tables.line import line_table
from scopelight.analysis.compare.tables.memory import memory_table
from scopelight.analysis.compare.tables.op import op_table, scope_table, shape_table
from scopelight.analysis.compare.tables.part import part_table
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.keys import digest
from scopelight.findings import Finding, empty

_TABLES: Final[Mapping[ComparedBy, Callable[[Subject, Scope], Table]]] = {
    "line": line_table,
    "op": op_table,
    "scope": scope_table,
    "step": part_table,
    "memory": memory_table,
    "shape": shape_table,
}


def compare(
    before: Sequence[Subject],
    after: Sequence[Subject],
    lines: PairedLines,
    by: ComparedBy = "line",
    findings: Sequence[Finding] = (),
) -> ComparisonRecord:
    """Compare the runs of two sides; of several each with that of its place on the other side.

    ``lines`` says which line became which, ``findings`` what else is to be known. Raises `FormatError` where a run
    cannot be read.
    """
    # What has no partner is no evidence, and must not be in the means.
    rounds = min(len(before), len(after))
    given = (len(before), len(after))
    before, after = before[:rounds], after[:rounds]
    has_steps = all(len(_steps_of(each)) for each in (*before, *after))
    scope: Scope = "steps" if has_steps else "window"
    earlier = rounds_of([_TABLES[by](each, scope) for each in before])
    later = rounds_of([_TABLES[by](each, scope) for each in after])
    of = circumstances(before, after, is_static=by == "memory")
    paired = [each for each in pairs(earlier, later, lines) if _is_there(each)]
    rows = _with_own_keys(_row(pair, told) for pair, told in zip(paired, judge(paired, of), strict=True))
    rows.sort(key=_most_changed_first)
    why_empty = () if rows else (empty("nothing-to-compare-by", by=by),)
    return ComparisonRecord(
        by=by,
        before=side_of(before),
        after=side_of(after),
        rounds=of.rounds,
        has_steps=has_steps,
        is_paired_in_rounds=of.in_turn,
        rows=tuple(rows),
        totals=_totals(paired),
        quantities=tuple(quantities(before, after, of)),
        findings=(*why_empty, *findings_of(before, after, of, given=given, has_steps=has_steps), *findings),
        predicted_for=_predicted_for((*before, *after)),
    )


def _predicted_for(subjects: Sequence[Subject]) -> str | None:
    """The devices that all runs are predicted for; None where one of them was measured."""
    predictions = [each.profile.prediction for each in subjects]
    devices = dict.fromkeys(each.device for each in predictions if each is not None)
    return None if None in predictions else ", ".join(devices)


def _steps_of(subject: Subject) -> Sequence[object]:
    centre = centre_of(subject.profile, subject.line_options)
    return range(len(centre.steps)) if centre.static is None else ()


def _with_own_keys(rows: Iterable[ComparedRow]) -> list[ComparedRow]:
    """The rows, of which one that is only before may have the key of another that is there after."""
    given = list(rows)
    after = {row.key for row in given if row.after_key is not None}
    return [
        attrs.evolve(row, key=digest("before", row.key)) if row.after_key is None and row.key in after else row
        for row in given
    ]


def _is_there(pair: Pair) -> bool:
    """Whether either side has anything in the row."""
    rows = [each for each in (pair.before, pair.after) if each is not None]
    return any(any(each.values(name)) for each in rows for name in ("time_ps", "cpu_ps", "bytes"))


def _row(pair: Pair, told: Judgement) -> ComparedRow:
    shown = pair.after or pair.before
    assert shown is not None
    entry = shown.entry
    was = pair.before.entry if pair.before is not None else None
    before_ps, after_ps = _of(pair.before, "time_ps"), _of(pair.after, "time_ps")
    before_cpu_ps, after_cpu_ps = _of(pair.before, "cpu_ps"), _of(pair.after, "cpu_ps")
    before_bytes, after_bytes = _of(pair.before, "bytes"), _of(pair.after, "bytes")
    knows_cpu = all(each is None or each.cpu_ps is not None for each in (pair.before, pair.after))
    is_of_cpu = told.judged_by == "cpu-time"
    return ComparedRow(
        key=entry.key,
        kind=entry.kind,
        label=entry.label,
        path=entry.path,
        file=entry.file,
        line=entry.line,
        function=entry.function,
        before_key=was.key if was is not None else None,
        after_key=pair.after.entry.key if pair.after is not None else None,
        before_path=was.path if was is not None else None,
        before_file=was.file if was is not None else None,
        before_line=was.line if was is not None else None,
        paired_by=pair.by,
        verdict=told.verdict,
        judged_by=told.judged_by,
        phase=entry.phase,
        before_ps=before_ps,
        after_ps=after_ps,
        change_ps=_change(before_ps, after_ps),
        change_ratio=_ratio(before_ps, after_ps) if before_bytes is None else _ratio(before_bytes, after_bytes),
        interval_ps=None if is_of_cpu else _interval_of(told, before_ps),
        visible_ps=None if is_of_cpu else _visible_of(told, before_ps),
        interval_cpu_ps=_interval_of(told, before_cpu_ps) if is_of_cpu else None,
        visible_cpu_ps=_visible_of(told, before_cpu_ps) if is_of_cpu else None,
        judged_change_ratio=told.change_ratio,
        judged_interval=told.interval,
        visible_ratio=told.visible_ratio,
        controlled=told.controlled,
        before_cpu_ps=before_cpu_ps if knows_cpu else None,
        after_cpu_ps=after_cpu_ps if knows_cpu else None,
        change_cpu_ps=_change(before_cpu_ps, after_cpu_ps) if knows_cpu else None,
        before_bytes=before_bytes,
        after_bytes=after_bytes,
        change_bytes=_change(before_bytes, after_bytes),
        before_flops=pair.before.mean("flops") if pair.before is not None else None,
        after_flops=pair.after.mean("flops") if pair.after is not None else None,
        flops_are_estimated=any(
            each.entry.flops_are_estimated for each in (pair.before, pair.after) if each is not None
        ),
        before_executions=pair.before.mean("executions") if pair.before is not None else None,
        after_executions=pair.after.mean("executions") if pair.after is not None else None,
    )


def _interval_of(told: Judgement, before_ps: int | None) -> tuple[int, int] | None:
    if told.interval is None or before_ps is None:
        return None
    return round(told.interval[0] * before_ps), round(told.interval[1] * before_ps)


def _visible_of(told: Judgement, before_ps: int | None) -> int | None:
    return None if told.visible_ratio is None or before_ps is None else round(told.visible_ratio * before_ps)


def _of(row: Rounds | None, name: str) -> int | None:
    return None if row is None else getattr(row, name)


def _change(before: int | None, after: int | None) -> int | None:
    """What is missing counts as nothing; None where nothing is there."""
    return None if before is None and after is None else (after or 0) - (before or 0)


def _ratio(before: int | None, after: int | None) -> float | None:
    return after / before - 1 if before and after is not None else None


def _most_changed_first(row: ComparedRow) -> tuple[int, int, str]:
    change = row.change_ps if row.change_ps is not None else row.change_bytes or 0
    largest = max(row.before_ps or 0, row.after_ps or 0, row.before_bytes or 0, row.after_bytes or 0)
    return -abs(change), -largest, row.key


def _totals(paired: Sequence[Pair]) -> ComparedTotals:
    times = list(_columns(paired, "time_ps"))
    if times:
        before, after, both_before, both_after = map(sum, zip(*times, strict=True))
        return ComparedTotals(
            before_ps=before,
            after_ps=after,
            change_ps=after - before,
            paired_before_ps=both_before,
            paired_after_ps=both_after,
            only_before_ps=before - both_before,
            only_after_ps=after - both_after,
            paired_ratio=_paired_ratio(both_before + both_after, before + after),
        )
    sizes = list(_columns(paired, "bytes"))
    if not sizes:
        return ComparedTotals()
    before, after, both_before, both_after = map(sum, zip(*sizes, strict=True))
    return ComparedTotals(
        before_bytes=before,
        after_bytes=after,
        change_bytes=after - before,
        paired_ratio=_paired_ratio(both_before + both_after, before + after),
    )


def _columns(paired: Sequence[Pair], name: str) -> Iterator[tuple[int, int, int, int]]:
    """Of each pair what it has before and after, and the same where it has a counterpart."""
    for before, after, _ in paired:
        earlier, later = _of(before, name), _of(after, name)
        if earlier is None and later is None:
            continue
        is_paired = before is not None and after is not None
        yield earlier or 0, later or 0, (earlier or 0) * is_paired, (later or 0) * is_paired


def _paired_ratio(paired: int, whole: int) -> float | None:
    return paired / whole if whole else None
