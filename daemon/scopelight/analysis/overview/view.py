"""The view of a run as a whole."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.advice.records import AdviceRecord
from scopelight.analysis.advice.view import advice as advice_view
from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.host.input.verdict import steady_steps
from scopelight.analysis.lines.host_findings import host_findings
from scopelight.analysis.missing_programs import nothing_ran, unsaid
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.ops.views import table_of
from scopelight.analysis.options import NoOptions
from scopelight.analysis.overview.environment import run_environment
from scopelight.analysis.overview.memory import memory_curves
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.parts import PARTS, overview_steps, step_parts
from scopelight.analysis.overview.records import (
    BusyCurve,
    OpKind,
    OverviewLine,
    OverviewOp,
    OverviewRecord,
    StepPart,
    SummaryFigure,
)
from scopelight.analysis.overview.summary import summary
from scopelight.analysis.records import StepTimeRecord
from scopelight.analysis.steps.step_time import step_time
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.charging import ChargedLine
from scopelight.analysis.totals.scoped import Scoped
from scopelight.analysis.totals.waiting.charging import WaitingLine, longest_first
from scopelight.findings import Finding, each_once
from scopelight.formats.columns import Bool
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule

_MOST_ROWS: Final = 10
_MOST_KINDS: Final = 7
_BUCKETS: Final = 120
_PS_PER_S: Final = 10**12


def overview(subject: Subject, options: OverviewOptions) -> OverviewRecord:
    """One page on a run, of all devices or of one. Raises `OptionError` where no device of that name ran anything."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    table = table_of(subject, options.device, scope="steps")
    scoped = table.scoped
    devices = scoped.totals.device_rows if centre.static is None else ()
    has_steps = len(centre.steps) > 0 and centre.static is None
    parts = step_parts(centre, devices)
    steady: Bool = steady_steps(profile, centre).is_steady if has_steps else np.zeros(0, np.bool_)
    record = advice_view(subject, NoOptions())
    memories = memory_curves(subject)
    why_empty = tuple(_why_empty(profile, centre))
    return OverviewRecord(
        extent=scoped.extent,
        device=options.device,
        device_names=tuple(centre.devices),
        step_time=step_time(centre.steps) if has_steps else StepTimeRecord(0, None, None, None, None),
        steps_source=centre.steps.source,
        summary=tuple(_summary(subject, centre, table, steady, memories_peak=[each.peak_bytes for each in memories])),
        parts=_parts_of_all(parts.sum(axis=0).tolist()),
        steps=overview_steps(centre, parts, len(devices), steady) if has_steps else (),
        lines=_lines(centre, scoped, [each for each in scoped.charges.lines.values() if each.wall_ps]),
        waiting_lines=_waiting_lines(centre, scoped),
        ops=_ops(table),
        op_time_ps=table.op_time_ps,
        kinds=_kinds(table),
        environment=run_environment(
            profile, table.totals.device_records(profile.capture) if devices else (), _main_programs(table)
        ),
        advice=record.findings,
        advice_left_out=record.left_out,
        effects=record.effects,
        peaks=table.peaks.records,
        busy=tuple(_busy(profile, centre, devices)),
        memories=memories,
        window_ps=profile.duration_ps,
        findings=each_once(
            (
                *why_empty,
                *_whether_it_fits(subject),
                *unsaid(_findings(profile, centre, table), why_empty),
                *_notes(record),
            )
        ),
    )


def _why_empty(profile: Profile, centre: Centre) -> Iterator[Finding]:
    if centre.static is not None or not len(profile.executions):
        yield nothing_ran(profile)


def _whether_it_fits(subject: Subject) -> Iterator[Finding]:
    if subject.profile.prediction is not None:
        from scopelight.analysis.memory.fit.programs import verdict  # noqa: PLC0415 (few runs are predicted)

        found = verdict(subject)
        if found is not None:
            yield found


def _notes(record: AdviceRecord) -> Iterator[Finding]:
    """What is to be known of the advice; that there is none does not empty this page."""
    return (each for each in record.notes if each.severity != "empty")


def _findings(profile: Profile, centre: Centre, table: OpTable) -> Iterator[Finding]:
    if centre.static is None:
        yield from centre.findings_of_steps
    yield from table.findings
    yield from host_findings(profile, table.scoped, centre.steps)


def _summary(
    subject: Subject, centre: Centre, table: OpTable, steady: Bool, memories_peak: Sequence[int]
) -> Iterator[SummaryFigure]:
    flops = flops_record(table) if table.entries else None
    yield from summary(subject, centre, table, steady, flops, memories_peak)


def _parts_of_all(sums: Sequence[int]) -> dict[StepPart, int]:
    return {name: value for name, value in zip(PARTS, sums, strict=True) if value}


def _lines(centre: Centre, scoped: Scoped, lines: list[ChargedLine]) -> tuple[OverviewLine, ...]:
    """The lines whose ops had most of the wall clock."""
    lines.sort(key=lambda each: (-each.wall_ps, each.frame.path, each.frame.line))
    found, until_ps = [], 0
    for each in lines[:_MOST_ROWS]:
        until_ps += each.wall_ps
        found.append(
            OverviewLine(
                key=centre.line_key(each.frame),
                **centre.frames.place_fields(each.frame),
                function=each.frame.function,
                time_ps=each.wall_ps,
                per_step_ps=scoped.per_step_ps(each.wall_ps),
                share_ratio=scoped.share_ratio(each.wall_ps),
                cumulative_ratio=scoped.share_ratio(until_ps),
            )
        )
    return tuple(found)


def _waiting_lines(centre: Centre, scoped: Scoped) -> tuple[OverviewLine, ...]:
    """The lines that devices waited for longest."""
    lines: list[WaitingLine] = [each for each in scoped.waiting.lines.values() if each.waiting_ps]
    lines.sort(key=lambda each: (-each.waiting_ps, each.frame.path, each.frame.line))
    found, until_ps = [], 0
    for each in lines[:_MOST_ROWS]:
        until_ps += each.waiting_ps
        found.append(
            OverviewLine(
                key=centre.line_key(each.frame),
                **centre.frames.place_fields(each.frame),
                function=each.frame.function,
                time_ps=each.waiting_ps,
                per_step_ps=scoped.per_step_ps(each.waiting_ps),
                share_ratio=scoped.share_ratio(each.waiting_ps),
                cumulative_ratio=scoped.share_ratio(until_ps),
                kind=next(iter(longest_first(each.classes_ps)), None),
                basis=each.basis,
            )
        )
    return tuple(found)


def _ops(table: OpTable) -> tuple[OverviewOp, ...]:
    found, until = [], 0.0
    # An op without an estimate has no time to be listed by.
    known = [each for each in table.entries[:_MOST_ROWS] if each.row.has_estimate and not table.is_static]
    for each in known:
        row = each.row
        until += row.share_ratio
        found.append(
            OverviewOp(
                key=row.key,
                name=row.name,
                primitive=row.primitive,
                category=row.category,
                self_ps=row.self_ps,
                per_step_ps=row.per_step_ps,
                share_ratio=row.share_ratio,
                cumulative_ratio=until,
                flops_per_s=row.flops * _PS_PER_S / row.wall_ps if row.flops is not None and row.wall_ps else None,
                path=row.path,
                file=row.file,
                line=row.line,
            )
        )
    return tuple(found)


def _kinds(table: OpTable) -> tuple[OpKind, ...]:
    sums: dict[str, int] = {}
    for each in table.entries:
        sums[each.row.category] = sums.get(each.row.category, 0) + each.row.self_ps
    whole_ps = max(1, table.op_time_ps)
    ordered = sorted(sums.items(), key=lambda each: (-each[1], each[0]))
    kinds = [OpKind(name, self_ps, self_ps / whole_ps) for name, self_ps in ordered[:_MOST_KINDS] if self_ps]
    rest_ps = sum(self_ps for _, self_ps in ordered[_MOST_KINDS:])
    return (*kinds, *([OpKind("", rest_ps, rest_ps / whole_ps)] if rest_ps else []))


def _main_programs(table: OpTable) -> Sequence[HloModule]:
    """What the function was compiled to whose ops took longest, the longest first."""
    times: Counter[int] = Counter()
    modules: dict[int, HloModule] = {}
    for each in table.entries:
        if each.op.module is not None:
            times[each.op.program] += each.row.self_ps
            modules[each.op.program] = each.op.module
    names: Counter[str] = Counter()
    for program, time_ps in times.items():
        names[modules[program].name] += time_ps
    longest = names.most_common(1)[0][0] if names else ""
    return [modules[program] for program, _ in times.most_common() if modules[program].name == longest]


def _busy(profile: Profile, centre: Centre, devices: Sequence[int]) -> Iterator[BusyCurve]:
    names = {row: name for name, row in centre.devices.items()}
    edges_ps = np.linspace(0, profile.duration_ps, _BUCKETS + 1).astype(np.int64)
    widths_ps = np.maximum(1, np.diff(edges_ps))
    for row in devices:
        covered = covered_ps(busy_spans(profile.executions, row), edges_ps[:-1], edges_ps[1:])
        yield BusyCurve(names[row], tuple(np.round(covered / widths_ps, 4).tolist()))
