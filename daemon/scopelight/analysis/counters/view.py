"""The view of hardware counters: a mean for each op of what its device counted while it ran."""

from collections.abc import Mapping, Sequence

import numpy as np

from scopelight.analysis.counters.options import CountersOptions
from scopelight.analysis.counters.records import CounterMetric, CounterRow, CountersRecord
from scopelight.analysis.missing_programs import nothing_ran
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.ops.views import table_of
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.findings import Finding, empty
from scopelight.formats.columns import Float64, Int64
from scopelight.model.hardware_counters import HardwareCounter
from scopelight.model.profile import Profile

_Name = tuple[str, str]
"""Of a counter: its name and its unit, which those of several devices share."""


def counters(subject: Subject, options: CountersOptions) -> CountersRecord:
    """What devices counted, by op. Raises `OptionError` where no device of that name ran anything."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    names = tuple(centre.devices)
    if centre.static is not None or not len(profile.executions):
        return CountersRecord(device_names=names, findings=(nothing_ran(profile),))
    table = table_of(subject, options.device, scope="window")
    devices = table.scoped.totals.device_rows
    sampled = _by_device(profile, devices)
    if not any(sampled.values()):
        return CountersRecord(device=options.device, device_names=names, findings=(_why_none(profile, centre, table),))
    known = list(dict.fromkeys((each.name, each.unit) for of in sampled.values() for each in of))
    values, covered = _sums(profile, sampled, known)
    return CountersRecord(
        device=options.device,
        device_names=names,
        counters=tuple(_metric(profile, sampled, each) for each in known),
        rows=tuple(_rows(table, _durations(profile, devices), values, covered, _period(sampled))),
        op_time_ps=table.op_time_ps,
        findings=tuple(table.findings),
    )


def _by_device(profile: Profile, devices: Sequence[int]) -> Mapping[int, Sequence[HardwareCounter]]:
    found: dict[int, list[HardwareCounter]] = {row: [] for row in devices}
    for each in profile.hardware_counters():
        for row in devices:
            device = profile.executions.devices[row]
            if (device.host, device.name) == (each.host, each.plane):
                found[row].append(each)
    return found


def _sums(
    profile: Profile, sampled: Mapping[int, Sequence[HardwareCounter]], known: Sequence[_Name]
) -> tuple[Float64, Int64]:
    """By op and counter the integral over its runs, and how much of their time was sampled."""
    executions = profile.executions
    values = np.zeros((len(executions.ops), len(known)))
    covered = np.zeros((len(executions.ops), len(known)), dtype=np.int64)
    for device, of_device in sampled.items():
        rows = executions.rows_of(device)
        op, start_ps = executions.op[rows], executions.start_ps[rows]
        end_ps = start_ps + executions.duration_ps[rows]
        for each in of_device:
            column = known.index((each.name, each.unit))
            sums, spans_ps = each.sums(start_ps, end_ps)
            np.add.at(values[:, column], op, sums)
            np.add.at(covered[:, column], op, spans_ps)
    return values, covered


def _durations(profile: Profile, devices: Sequence[int]) -> Int64:
    """By op how long its runs on some devices take together."""
    executions = profile.executions
    found = np.zeros(len(executions.ops), dtype=np.int64)
    for device in devices:
        rows = executions.rows_of(device)
        np.add.at(found, executions.op[rows], executions.duration_ps[rows])
    return found


def _rows(table: OpTable, durations_ps: Int64, values: Float64, covered: Int64, period_ps: int) -> Sequence[CounterRow]:
    found = []
    for entry in table.entries:
        row, ops = entry.row, list(entry.ops)
        spans = covered[ops].sum(axis=0)
        sums = values[ops].sum(axis=0)
        whole_ps = int(durations_ps[ops].sum())
        found.append(
            CounterRow(
                key=row.key,
                name=row.name,
                primitive=row.primitive,
                category=row.category,
                path=row.path,
                file=row.file,
                line=row.line,
                executions=row.executions,
                op_time_ps=row.self_ps,
                share_ratio=row.share_ratio,
                values=tuple(
                    float(value / span) if span else None
                    for value, span in zip(sums.tolist(), spans.tolist(), strict=True)
                ),
                sampled_ratio=int(spans.max(initial=0)) / max(1, whole_ps),
                is_short=whole_ps < period_ps * max(1, row.executions),
            )
        )
    return found


def _metric(profile: Profile, sampled: Mapping[int, Sequence[HardwareCounter]], name: _Name) -> CounterMetric:
    sums, spans, busy, busy_ps = 0.0, 0, 0.0, 0
    parts = []
    for device, of_device in sampled.items():
        rows = profile.executions.rows_of(device)
        start_ps = profile.executions.start_ps[rows]
        for each in of_device:
            if (each.name, each.unit) != name or not len(each.value):
                continue
            parts.append(each)
            whole, length = each.sums(each.start_ps[:1], each.start_ps[-1:] + max(1, each.period_ps))
            sums, spans = sums + float(whole.sum()), spans + int(length.sum())
            of_ops, of_ops_ps = each.sums(start_ps, start_ps + profile.executions.duration_ps[rows])
            busy, busy_ps = busy + float(of_ops.sum()), busy_ps + int(of_ops_ps.sum())
    return CounterMetric(
        name=name[0],
        unit=name[1],
        mean_busy=busy / busy_ps if busy_ps else None,
        mean=sums / spans if spans else None,
        least=min((float(each.value.min()) for each in parts), default=0.0),
        greatest=max((float(each.value.max()) for each in parts), default=0.0),
        period_ps=max((each.period_ps for each in parts), default=0),
        samples=sum(len(each.value) for each in parts),
    )


def _period(sampled: Mapping[int, Sequence[HardwareCounter]]) -> int:
    return max((each.period_ps for of_device in sampled.values() for each in of_device), default=0)


def _why_none(profile: Profile, centre: Centre, table: OpTable) -> Finding:
    """Why nothing was counted, and the kernel that is most worth counting."""
    kinds = {profile.executions.devices[row].kind for row in centre.devices.values()}
    kind = "cpu" if kinds == {"cpu"} else "tpu" if "tpu" in kinds else "gpu"
    longest = next((each.row.name for each in table.entries if each.row.side == "device"), "")
    command = profile.capture.command if profile.capture is not None else ()
    return empty("counters-absent", backend=kind, kernel=longest, command=" ".join(command))
