"""Figures of whole runs that are compared: what programs say of themselves, and what was measured."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import attrs
import numpy as np

from scopelight.analysis.compare.judging import Circumstances, judge_whole
from scopelight.analysis.compare.records import ComparedQuantity, JudgedBy, QuantityKind, QuantityName
from scopelight.analysis.compare.tables.line import divisor
from scopelight.analysis.lines.view import lines as lines_view
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_lines
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.table import OpEntry
from scopelight.analysis.ops.views import flops, table_of
from scopelight.analysis.options import NoOptions, ScopeOptions
from scopelight.analysis.programs.view import programs
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.step_trace.options import StepTraceOptions
from scopelight.analysis.step_trace.view import step_trace
from scopelight.analysis.subject import Subject

_UNITS: Final[Mapping[QuantityName, Literal["ps", "bytes", "flops", "count", "ratio"]]] = {
    "step": "ps",
    "predicted-step": "ps",
    "device-time": "ps",
    "cpu-time": "ps",
    "waiting": "ps",
    "flops": "flops",
    "bytes": "bytes",
    "ops": "count",
    "compilations": "count",
    "programs": "count",
    "padding": "ratio",
    "planned-peak": "bytes",
    "collective-bytes": "bytes",
}
_JUDGED_BY: Final[Mapping[QuantityName, JudgedBy]] = {
    "step": "wall-clock",
    "waiting": "wall-clock",
    "device-time": "device-time",
    "cpu-time": "cpu-time",
}
_KINDS: Final[Mapping[JudgedBy, QuantityKind]] = {
    "exact": "exact",
    "device-time": "steady",
    "cpu-time": "steady",
    "wall-clock": "noisy",
}

Figures = Mapping[QuantityName, float | None]
"""Those of one run; None of what it does not know."""


def quantities(before: Sequence[Subject], after: Sequence[Subject], of: Circumstances) -> list[ComparedQuantity]:
    """Every quantity that either side knows, over its rounds."""
    earlier, later = [figures_of(each) for each in before], [figures_of(each) for each in after]
    return [
        _quantity(name, [each.get(name) for each in earlier], [each.get(name) for each in later], of)
        for name in _UNITS
        if any(each.get(name) is not None for each in (*earlier, *later))
    ]


def figures_of(subject: Subject) -> Figures:
    """The figures of one run."""
    return subject.once("compared figures", (), lambda: _figures_of(subject))


def _figures_of(subject: Subject) -> Figures:
    found: dict[QuantityName, float | None] = {}
    for read in (_times, _work, _compiled, _padding, _peak, _collectives):
        found.update(read(subject))
    return found


def _times(subject: Subject) -> Figures:
    profile = subject.profile
    record = lines_view(subject, ScopeOptions(scope="steps"))
    if not record.extent.steps or not record.op_time_ps:
        return {}
    if profile.prediction is not None:
        return {"predicted-step": record.step_time.mean_ps}
    is_on_cpu = any(each.kind == "cpu" for each in record.devices)
    return {
        "step": record.step_time.median_ps,
        "device-time": None if is_on_cpu else record.op_time_ps / divisor(record.extent),
        "cpu-time": _on_cores(record) if is_on_cpu else None,
        "waiting": record.idle_ps / divisor(record.extent),
    }


def _on_cores(record: LinesRecord) -> float | None:
    """The CPU time of a step, the median over them; None where it is not known of all."""
    known = [each.cpu_ps for each in record.steps if each.cpu_ps is not None]
    return float(np.median(known)) if known and len(known) == len(record.steps) else None


def _work(subject: Subject) -> Figures:
    """FLOPs, bytes and executions of most steps: now and then one does something else as well."""
    table = table_of(subject, None, scope="steps")
    steps = table.extent.steps
    if table.is_static or not steps:
        return {}
    entries = [each for each in table.entries if each.row.executions]
    of_op = np.full(len(table.totals.ops), -1, dtype=np.int64)
    for row, entry in enumerate(entries):
        of_op[list(entry.ops)] = row
    totals = table.totals
    there = np.flatnonzero((of_op[totals.op] >= 0) & (totals.step >= 0))
    ran = np.zeros((steps, len(entries)), dtype=np.int64)
    np.add.at(ran, (totals.step[there], of_op[totals.op[there]]), totals.executions[there])

    def in_most(each_of: Callable[[OpEntry], int | None]) -> float | None:
        costs = [each_of(entry) for entry in entries]
        if all(cost is None for cost in costs):
            return None
        sums = [sum(count * (cost or 0) for count, cost in zip(row, costs, strict=True)) for row in ran.tolist()]
        return Counter(sorted(sums)).most_common(1)[0][0]

    return {
        "flops": in_most(lambda entry: _each(entry.row.flops, entry.row.executions)),
        "bytes": in_most(lambda entry: _each(entry.row.bytes, entry.row.executions)),
        "ops": in_most(lambda _: 1),
    }


def _each(total: int | None, executions: int) -> int | None:
    return None if total is None else total // executions


def _compiled(subject: Subject) -> Figures:
    record = programs(subject, NoOptions())
    known = record.compile_ps is not None
    return {
        "compilations": sum(each.count for each in record.compilations) if known else None,
        "programs": len(record.rows) or None,
    }


def _padding(subject: Subject) -> Figures:
    record = flops(subject, OpsOptions())
    return {"padding": record.rows[0].padding_waste_ratio if record.rows else None}


def _peak(subject: Subject) -> Figures:
    return {"planned-peak": memory_lines(subject, ProgramMemoryOptions()).peak_bytes}


def _collectives(subject: Subject) -> Figures:
    record = step_trace(subject, StepTraceOptions())
    return {"collective-bytes": record.mean.collective_bytes if record.mean is not None else None}


def _quantity(
    name: QuantityName, before: Sequence[float | None], after: Sequence[float | None], of: Circumstances
) -> ComparedQuantity:
    by: JudgedBy = _JUDGED_BY.get(name, "exact")
    earlier, later = _mean(before), _mean(after)
    quantity = ComparedQuantity(
        name=name,
        kind=_KINDS[by],
        unit=_UNITS[name],
        before=earlier,
        after=later,
        change=None if earlier is None or later is None else later - earlier,
        change_ratio=None,
        # What one side does not know is not gone.
        verdict="cannot-tell",
        before_rounds=tuple(before),
        after_rounds=tuple(after),
    )
    if earlier is None or later is None:
        return quantity
    told = judge_whole([each or 0 for each in before], [each or 0 for each in after], by, of)
    in_unit = told.interval and (told.interval[0] * earlier, told.interval[1] * earlier)
    return attrs.evolve(
        quantity,
        change_ratio=later / earlier - 1 if earlier else None,
        verdict=told.verdict,
        interval=in_unit,
        visible_ratio=told.visible_ratio,
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
