"""The view of the step trace."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.host.input.verdict import is_undisturbed
from scopelight.analysis.missing_programs import nothing_ran
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.ops.views import table_of
from scopelight.analysis.overview.parts import PARTS, is_outlier, parts_in
from scopelight.analysis.overview.records import StepPart
from scopelight.analysis.records import PHASE_NAMES, StepTimeRecord
from scopelight.analysis.step_trace.borders import Asked, BorderFinder, Borders
from scopelight.analysis.step_trace.options import StepTraceOptions
from scopelight.analysis.step_trace.records import BorderSource, CollectiveRow, StepTraceRecord, StepTraceRow
from scopelight.analysis.steps.step_time import step_time_of
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.findings import Finding, empty, note
from scopelight.formats.columns import Bool, Int64
from scopelight.model.op_work import Work, works_of
from scopelight.model.profile import Profile

FORWARD_VARIABLE: Final = "PROFILING_FP_START"
BACKWARD_VARIABLE: Final = "PROFILING_BP_END"
_COLLECTIVE: Final = (STALLS.index("collective"), STALLS.index("peer"))


def step_trace(subject: Subject, options: StepTraceOptions) -> StepTraceRecord:
    """Each step from its interval to its tail. Raises `OptionError` for a device or an expression that there is not."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    table = table_of(subject, options.device, scope="steps")
    if centre.static is not None or not len(centre.steps):
        return _nothing(profile, centre, options.device)
    starts = _asked(options.forward_start, profile, FORWARD_VARIABLE)
    ends = _asked(options.backward_end, profile, BACKWARD_VARIABLE)
    finder = BorderFinder(centre, starts, ends)
    devices = table.scoped.totals.device_rows
    borders = [finder.of_device(device) for device in devices]
    rows = _rows(profile, centre, table, finder, devices, borders)
    averaged = [each for each in rows if each.is_steady and each.has_interval]
    begun = [row for each in borders for row in each.first.tolist() if row >= 0]
    ended = [row for each in borders for row in each.last.tolist() if row >= 0]
    first, last = finder.op_most(begun), finder.op_most(ended)
    return StepTraceRecord(
        device=options.device,
        device_names=tuple(centre.devices),
        steps_source=centre.steps.source,
        step_time=step_time_of(np.array([each.duration_ps for each in averaged], dtype=np.int64)),
        rows=rows,
        mean=_mean(averaged),
        collectives=tuple(_collectives(centre, table)),
        has_backward=finder.has_backward,
        starts_at=_name(centre, first),
        starts_at_line=_line(centre, first),
        starts_by=finder.source_of(starts),
        ends_at=_name(centre, last),
        ends_at_line=_line(centre, last),
        ends_by=finder.source_of(ends),
        findings=(*_of_borders(starts, begun, ends, ended), *centre.findings_of_steps),
    )


def _nothing(profile: Profile, centre: Centre, device: str | None) -> StepTraceRecord:
    why = nothing_ran(profile) if not len(profile.executions) else (centre.steps.why_none or nothing_ran(profile))
    return StepTraceRecord(
        device=device,
        device_names=tuple(centre.devices),
        steps_source=None,
        step_time=StepTimeRecord(0, None, None, None, None),
        rows=(),
        mean=None,
        collectives=(),
        has_backward=False,
        findings=(empty(why.code, why.action, **why.values),),
    )


def _asked(option: str | None, profile: Profile, variable: str) -> Asked:
    if option:
        return Asked(option, "option")
    told = profile.capture.environment.get(variable) if profile.capture is not None else None
    source: BorderSource = "variable" if told else "phases"
    return Asked(told or None, source)


def _of_borders(starts: Asked, begun: Sequence[int], ends: Asked, ended: Sequence[int]) -> Iterator[Finding]:
    if starts.text is not None and not begun:
        yield note("step-trace-no-start", text=starts.text)
    if ends.text is not None and not ended:
        yield note("step-trace-no-end", text=ends.text)


def _rows(
    profile: Profile,
    centre: Centre,
    table: OpTable,
    finder: BorderFinder,
    devices: Sequence[int],
    borders: Sequence[Borders],
) -> tuple[StepTraceRow, ...]:
    steps = centre.steps
    count, number = len(steps), max(1, len(devices))
    interval = np.zeros((count, len(PARTS)), dtype=np.int64)
    spans = np.zeros((count, 2), dtype=np.int64)
    begun, is_steady = np.ones((2, count), dtype=np.bool_)
    begin_ps = steps.start_ps.copy()
    for device, each in zip(devices, borders, strict=True):
        start_ps, end_ps = _windows(centre, device)
        begin_ps = np.minimum(begin_ps, start_ps)
        idle = np.flatnonzero(centre.pieces.device == device)
        is_steady &= is_undisturbed(profile, centre.pieces, idle, start_ps, end_ps)
        # Of what is predicted nothing waits.
        is_known = centre.steps.source == "annotation" or profile.prediction is not None
        begun &= (start_ps < steps.start_ps) | is_known
        # Where no op says it, the whole step is interval.
        forward_ps = np.where(each.forward_ps >= 0, each.forward_ps, end_ps)
        backward_ps = np.clip(np.where(each.backward_ps >= 0, each.backward_ps, forward_ps), forward_ps, end_ps)
        spans[:, 0] += backward_ps - forward_ps
        spans[:, 1] += end_ps - backward_ps
        interval += parts_in(centre, device, start_ps, forward_ps)
    # A device that is never idle is at the next step when it ends one.
    begun[1:] = True
    by_phase = _by_phase(centre, table, finder.phases)
    exposed = centre.division.stalled_ps[list(devices), :count][:, :, list(_COLLECTIVE)].sum(axis=(0, 2))
    runs, times_ps, moved = _of_collectives(centre, table)
    lengths_ps = np.rint((interval.sum(axis=1) + spans.sum(axis=1)) / number)
    far = _outliers(lengths_ps.astype(np.int64), begun)
    if not is_steady.any():
        # All of them compile: what they do besides is still worth knowing.
        is_steady[:] = True
    found = []
    for row in range(count):
        interval_ps = int(interval[row].sum())
        mean_interval = round(interval_ps / number)
        mean_span, mean_tail = (round(each / number) for each in spans[row].tolist())
        found.append(
            StepTraceRow(
                number=row + 1,
                start_ps=int(begin_ps[row]),
                duration_ps=mean_interval + mean_span + mean_tail,
                interval_ps=mean_interval,
                forward_backward_ps=mean_span,
                tail_ps=mean_tail,
                interval_parts=_means(interval[row].tolist(), interval_ps, mean_interval),
                **{f"{name}_ps": round(int(by_phase[row, place]) / number) for place, name in enumerate(PHASE_NAMES)},
                communication_ps=round(int(exposed[row]) / number),
                collectives=int(runs[row]) / number,
                collective_ps=round(int(times_ps[row]) / number),
                collective_bytes=None if moved is None else round(int(moved[row]) / number),
                exposed_ps=round(int(exposed[row]) / number),
                has_interval=bool(begun[row]),
                is_steady=bool(is_steady[row]),
                is_outlier=bool(far[row]),
            )
        )
    return tuple(found)


def _outliers(duration_ps: Int64, is_whole: Bool) -> Bool:
    """Which steps are unlike most, of those whose whole is known."""
    far = np.zeros(len(duration_ps), dtype=np.bool_)
    far[is_whole] = is_outlier(duration_ps[is_whole])
    return far


def _windows(centre: Centre, device: int) -> tuple[Int64, Int64]:
    """Where the steps of a device begin and end here: each with the last that ran in it.

    Steps that are found by what runs begin with it, so that what a device waits for before lies in the step before. Of
    those that the script annotates the annotation says where they begin.
    """
    steps = centre.steps
    start_ps, end_ps = steps.start_ps, steps.start_ps + steps.duration_ps
    if steps.source == "annotation":
        return start_ps, end_ps
    executions = centre.executions
    rows = executions.rows_of(device)
    step = step_of(executions.start_ps[rows], steps)
    inside = np.flatnonzero(step >= 0)
    last_ps = start_ps.copy()
    np.maximum.at(last_ps, step[inside], (executions.start_ps[rows] + executions.duration_ps[rows])[inside])
    last_ps = np.minimum(last_ps, end_ps)
    follows = np.append(False, start_ps[1:] == end_ps[:-1])
    before_ps = np.append(start_ps[:1], last_ps[:-1])
    begin_ps = np.where(follows, before_ps, start_ps)
    earlier_ps = (executions.start_ps[rows] + executions.duration_ps[rows])[executions.start_ps[rows] < start_ps[0]]
    usual_ps = 2 * int(np.median(steps.duration_ps))
    if len(earlier_ps) and 0 <= start_ps[0] - int(earlier_ps.max()) <= usual_ps:
        begin_ps[0] = int(earlier_ps.max())
    return begin_ps, last_ps


def _means(parts: Sequence[int], whole_ps: int, mean_ps: int) -> Mapping[StepPart, int]:
    """Parts of a sum over devices as parts of its mean, which they sum to: the last has what rounding left."""
    found: dict[StepPart, int] = {}
    until = given = 0
    for name, part in zip(PARTS, parts, strict=True):
        until += part
        upto = round(mean_ps * until / whole_ps) if whole_ps else 0
        if upto > given:
            found[name] = upto - given
        given = upto
    return found


def _by_phase(centre: Centre, table: OpTable, phases: Int64) -> Int64:
    """Int64[steps, phases]: what ops of each have of the wall clock but for what only exchanges data."""
    totals = table.scoped.totals
    works = works_of(centre.executions)
    sums = np.zeros((len(centre.steps), len(PHASE_NAMES)), dtype=np.int64)
    rows = np.flatnonzero(works[totals.op] != Work.COMMUNICATION)
    np.add.at(sums, (totals.step[rows], phases[totals.op[rows]]), totals.wall_ps[rows])
    return sums


def _of_collectives(centre: Centre, table: OpTable) -> tuple[Int64, Int64, Int64 | None]:
    """By step how many collectives ran, for how long, and how many bytes they moved, over all devices."""
    totals = table.scoped.totals
    works = works_of(centre.executions)
    rows = np.flatnonzero(works[totals.op] == Work.COMMUNICATION)
    runs, times_ps, moved = np.zeros((3, len(centre.steps)), dtype=np.int64)
    np.add.at(runs, totals.step[rows], totals.executions[rows])
    np.add.at(times_ps, totals.step[rows], totals.span_ps[rows])
    sizes = {row: table.costs.of(row).bytes for row in np.unique(totals.op[rows]).tolist()}
    if any(each is None for each in sizes.values()):
        return runs, times_ps, None
    of_op = np.array([sizes[row] or 0 for row in totals.op[rows].tolist()], dtype=np.int64)
    np.add.at(moved, totals.step[rows], of_op * totals.executions[rows])
    return runs, times_ps, moved


def _collectives(centre: Centre, table: OpTable) -> Iterator[CollectiveRow]:
    works = works_of(centre.executions)
    sums = table.scoped.totals.by_op()
    for each in table.entries:
        if works[each.ops[0]] != Work.COMMUNICATION or not each.row.executions:
            continue
        row = each.row
        yield CollectiveRow(
            key=row.key,
            name=row.name,
            primitive=row.primitive,
            category=row.category,
            path=row.path,
            file=row.file,
            line=row.line,
            per_step=row.executions_per_step or 0.0,
            bytes=None if row.bytes is None else row.bytes // row.executions,
            mean_ps=round(row.mean_ps),
            exposed_ps=int(sums.wall_ps[list(each.ops)].sum()) // row.executions,
            has_estimate=row.has_estimate,
        )


def _mean(rows: Sequence[StepTraceRow]) -> StepTraceRow | None:
    """The mean of steps; its three spans sum to the mean of their durations."""
    if not rows:
        return None

    def mean(name: str) -> int:
        values: list[int] = [getattr(each, name) for each in rows]
        return round(sum(values) / len(values))

    span_ps, tail_ps, interval_ps = mean("forward_backward_ps"), mean("tail_ps"), mean("interval_ps")
    sums = [sum(each.interval_parts.get(name, 0) for each in rows) for name in PARTS]
    moved = [each.collective_bytes for each in rows]
    means: dict[str, Any] = {
        name: mean(name)
        for name in (*(f"{each}_ps" for each in PHASE_NAMES), "communication_ps", "collective_ps", "exposed_ps")
    }
    return StepTraceRow(
        number=0,
        start_ps=0,
        duration_ps=interval_ps + span_ps + tail_ps,
        interval_ps=interval_ps,
        forward_backward_ps=span_ps,
        tail_ps=tail_ps,
        interval_parts=_means(sums, sum(sums), interval_ps),
        collectives=sum(each.collectives for each in rows) / len(rows),
        collective_bytes=None if None in moved else round(sum(each or 0 for each in moved) / len(rows)),
        **means,
    )


def _name(centre: Centre, op: int | None) -> str:
    if op is None:
        return ""
    return centre.executions.ops[op].op_name or centre.executions.ops[op].name


def _line(centre: Centre, op: int | None) -> str:
    if op is None:
        return ""
    user = centre.frames.of(centre.executions.ops[op].stack)
    return f"{centre.frames.file(user[0].path).path}:{user[0].line}" if user else ""
