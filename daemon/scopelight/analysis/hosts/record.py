"""The record of hosts: what a comparison says, in rows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from scopelight.analysis.hosts.breakdown import PARTS, CorePart
from scopelight.analysis.hosts.comparison import Comparison
from scopelight.analysis.hosts.costs import (
    MOST_REPLAYED,
    SUSPECTS,
    Costs,
    LongerWork,
    costs_of_devices,
    costs_of_hosts,
    longer_work,
)
from scopelight.analysis.hosts.link_rows import link_rows
from scopelight.analysis.hosts.links import LinkTimes, bytes_per_s, hosts_of, link_times
from scopelight.analysis.hosts.records import (
    ClockRow,
    CoreRow,
    CoreStep,
    HostRow,
    HostsRecord,
    HostsStep,
    Layout,
    LinkRow,
    MetCollective,
)
from scopelight.analysis.hosts.topology import layouts
from scopelight.analysis.totals.frames import UserFrames
from scopelight.findings import Finding, advice, each_once, empty, note, warning
from scopelight.formats.columns import Int64
from scopelight.model.rendezvous.collectives import link_bytes
from scopelight.model.run.information import RecordedDevice
from scopelight.program.hlo.frames import Frame

MOST_CELLS = 20_000
"""Cores times steps that are told one by one: a heat map of more is of the mean of the steps."""


@attrs.frozen
class LatePlace:
    """Where a host stood before it launched its runs late: a line of the source, or what the trace says it was in.

    ``per_step_ps`` is how long it stood there.
    """

    frame: Frame | None
    where: str | None
    per_step_ps: int


def hosts_record(
    comparison: Comparison,
    frames: UserFrames,
    recorded: Sequence[RecordedDevice] = (),
    findings: Sequence[Finding] = (),
) -> HostsRecord:
    """What each host costs, but for where a host stood that launched late: `with_late_place` says that."""
    if not comparison.summary.devices:
        return _nothing([*findings, empty("hosts-nothing-ran")])
    return _Rows(comparison, frames).record(recorded, findings)


def with_late_place(record: HostsRecord, place: LatePlace | None, frames: UserFrames) -> HostsRecord:
    """The record with where the host stood that is named for launching late."""
    named = next((each for each in record.hosts if each.is_named), None)
    if place is None or named is None or named.reason != "launched-late":
        return record
    told = attrs.evolve(
        named,
        where=place.where,
        excess_per_step_ps=place.per_step_ps,
        **frames.place_fields(place.frame),
    )
    hosts = tuple(told if each is named else each for each in record.hosts)
    findings = tuple(_host_slow(told, record.step_ps or 0) if f.code == "host-slow" else f for f in record.findings)
    return attrs.evolve(record, hosts=hosts, findings=findings)


def _nothing(findings: Sequence[Finding]) -> HostsRecord:
    return HostsRecord((), (), None, 0, (), (), (), 0, 0, 0, (), (), findings=tuple(findings))


class _Rows:
    def __init__(self, comparison: Comparison, frames: UserFrames) -> None:
        self._comparison, self._frames = comparison, frames
        self._summary = comparison.summary
        self._step_of_core = comparison.step_of_row[self._summary.cores.step]
        devices = self._summary.devices
        # A host's devices by their numbers: profiles have them as they come.
        self._order = sorted(
            range(len(devices)), key=lambda row: (devices[row].host, devices[row].ordinal, devices[row].name)
        )
        self._rank = np.argsort(self._order)

    def record(self, recorded: Sequence[RecordedDevice], findings: Sequence[Finding]) -> HostsRecord:
        comparison, instances = self._comparison, self._comparison.instances
        steps = self._hosts_steps()
        step_ps = round(float(np.median([each.duration_ps for each in steps]))) if steps else None
        of_hosts = costs_of_hosts(comparison, step_ps)
        one_host = len(set(comparison.host_of_device.tolist())) < 2
        of_devices = costs_of_devices(comparison, step_ps) if one_host else None
        times = link_times(comparison)
        hosts = self._host_rows(of_hosts)
        links = link_rows(comparison, times, self._frames, step_ps, next((h.host for h in hosts if h.is_named), None))
        cores = self._core_rows(of_hosts, of_devices)
        said = [
            *findings,
            *each_once(each for host in self._summary.hosts for each in host.findings if each.severity == "warning"),
            *(_host_slow(each, step_ps or 0) for each in hosts if each.is_named),
            *(self._device_slow(each, of_devices, step_ps or 0) for each in cores if each.is_named and of_devices),
            *(_link_slow(each, step_ps or 0) for each in links if each.is_named),
            *self._doubts(),
        ]
        return HostsRecord(
            hosts=hosts,
            steps=steps,
            step_ps=step_ps,
            step_count=comparison.step_count,
            cores=cores,
            layouts=tuple(self._ordered(each) for each in layouts(self._summary, recorded)),
            collectives=tuple(self._collectives(times)),
            executions=int(np.count_nonzero(instances.took_part)),
            instances=len(instances),
            complete_instances=int(np.count_nonzero(instances.is_complete)),
            links=links,
            clocks=tuple(self._clock_rows()),
            findings=tuple(said),
        )

    def _ordered(self, layout: Layout) -> Layout:
        """A layout whose cells name rows of the record."""
        cells = [attrs.evolve(each, core=int(self._rank[each.core])) for each in layout.cells]
        return attrs.evolve(layout, cells=tuple(sorted(cells, key=lambda each: each.core)))

    def _doubts(self) -> Iterator[Finding]:
        comparison = self._comparison
        if not comparison.step_count:
            yield warning("hosts-no-common-steps")
        if len(comparison.summary.hosts) < 2:
            yield note("hosts-one-host", host=comparison.summary.hosts[0].name)
        if not len(comparison.instances):
            yield note("hosts-nothing-met")
        if (hosts := len(set(comparison.host_of_device.tolist()))) > MOST_REPLAYED:
            yield note("hosts-suspects", hosts=hosts, suspects=SUSPECTS)
        if not comparison.clocks.is_consistent:
            yield warning("clocks-inconsistent")
        missing = len(comparison.instances) - int(np.count_nonzero(comparison.instances.is_complete))
        if missing:
            yield note("hosts-incomplete-instances", instances=missing, of=len(comparison.instances))

    def _host_rows(self, costs: Costs) -> tuple[HostRow, ...]:
        comparison = self._comparison
        clocks, rows = comparison.clocks, []
        wait_ps, move_ps = comparison.waits.by_device()
        devices = np.bincount(comparison.host_of_device, minlength=len(self._summary.hosts))
        for number, host in enumerate(self._summary.hosts):
            own = comparison.is_of_host(number)
            spread = max(1.0, comparison.replayed_steps) * max(1, int(devices[number]))
            cost, error_ps = costs.per_step.get(number), int(clocks.error_ps[number])
            is_named = costs.named == number
            reason = costs.reason if is_named else None
            longer = longer_work(comparison, comparison.host_of_device, number) if reason == "worked-longer" else None
            rows.append(
                HostRow(
                    host=host.name,
                    devices=int(devices[number]),
                    offset_ps=int(clocks.offset_ps[number]) if error_ps >= 0 else None,
                    offset_error_ps=error_ps if error_ps >= 0 else None,
                    applied_offset_ps=int(clocks.applied_ps[number]),
                    cost_per_step_ps=None if cost is None else cost.total_ps,
                    launched_late_per_step_ps=None if cost is None else cost.launched_late_ps,
                    worked_longer_per_step_ps=None if cost is None else cost.worked_longer_ps,
                    wait_per_step_ps=round(int(wait_ps[own].sum()) / spread),
                    move_per_step_ps=round(int(move_ps[own].sum()) / spread),
                    is_named=is_named,
                    reason=reason,
                    **self._of_longer_work(longer),
                )
            )
        return tuple(sorted(rows, key=lambda row: (-(row.cost_per_step_ps or 0), row.host)))

    def _of_longer_work(self, longer: LongerWork | None) -> dict[str, Any]:
        if longer is None:
            return {}
        return {
            "op": longer.op.op_name or longer.op.name,
            "excess_per_step_ps": longer.excess_per_step_ps,
            **self._frames.place_fields(next(iter(self._frames.of(longer.op.stack)), None)),
        }

    def _core_rows(self, of_hosts: Costs, of_devices: Costs | None) -> tuple[CoreRow, ...]:
        cores, rows = self._summary.cores, []
        parts_ps = self._comparison.parts_ps
        for number in self._order:
            device = self._summary.devices[number]
            own = (cores.device == number) & (self._step_of_core >= 0)
            steps = int(np.count_nonzero(own))
            parts = _means(parts_ps[own].sum(axis=0), steps)
            # Of a host that is slow on several devices none alone is what others wait for.
            costs, unit = (of_hosts, device.host) if of_devices is None else (of_devices, number)
            cost = costs.per_step.get(unit)
            rows.append(
                CoreRow(
                    device=device.name,
                    host=self._summary.hosts[device.host].name,
                    ordinal=device.ordinal,
                    id=device.id if device.id >= 0 else None,
                    chip=device.core.chip if device.core is not None else None,
                    core=device.core.core if device.core is not None else None,
                    step_ps=sum(parts.values()),
                    parts=parts,
                    cost_per_step_ps=None if cost is None else cost.total_ps,
                    is_named=of_devices is not None and of_devices.named == number,
                )
            )
        return tuple(rows)

    def _hosts_steps(self) -> tuple[HostsStep, ...]:
        comparison, summary = self._comparison, self._summary
        steps, step_of_row = summary.steps, comparison.step_of_row
        start_ps = steps.start_ps + comparison.shift_ps[steps.host]
        found = []
        tells_cores = comparison.step_count * len(summary.devices) <= MOST_CELLS
        order = np.argsort(self._step_of_core, kind="stable")
        firsts = np.searchsorted(self._step_of_core[order], np.arange(comparison.step_count + 1))
        # Where the profile of all hosts begins.
        first_ps = int(comparison.shift_ps.min())
        for number in range(comparison.step_count):
            own = step_of_row == number
            begin_ps = int(start_ps[own].min())
            rows = order[firsts[number] : firsts[number + 1]].tolist() if tells_cores else []
            rows.sort(key=lambda row: int(self._rank[summary.cores.device[row]]))
            found.append(
                HostsStep(
                    number=number + 1,
                    start_ps=begin_ps - first_ps,
                    duration_ps=int(np.median(steps.duration_ps[own])),
                    cores=tuple(self._core_step(row) for row in rows),
                )
            )
        return tuple(found)

    def _core_step(self, row: int) -> CoreStep:
        parts_ps = self._comparison.parts_ps[row]
        return CoreStep(int(self._rank[self._summary.cores.device[row]]), int(parts_ps.sum()), _parts(parts_ps))

    def _collectives(self, times: Sequence[LinkTimes]) -> Iterator[MetCollective]:
        comparison, instances, waits = self._comparison, self._comparison.instances, self._comparison.waits
        best: dict[int, float] = {}
        for each in times:
            rate = bytes_per_s(each.bytes, each.best_ps)
            if rate is not None and (each.is_edge or hosts_of(comparison, each)):
                best[each.op] = max(best.get(each.op, 0.0), rate)
        for op in np.unique(instances.op).tolist():
            rows = np.flatnonzero(instances.op == op)
            took_part = instances.took_part[rows]
            members = np.flatnonzero(took_part.any(axis=0))
            spread = max(1.0, comparison.replayed_steps) * max(1, len(members))
            described, size = instances.ops[op], int(instances.size[op].max())
            which, device = np.nonzero(took_part)
            came = rows[which], device
            latest = comparison.host_of_device[waits.last[came]]
            names, counts = np.unique(latest, return_counts=True)
            result = described.bytes
            participants = size or len(members)
            yield MetCollective(
                name=described.name,
                op=described.op_name,
                kind=described.kind,
                axes=described.axes,
                participants=participants,
                per_step=float(np.count_nonzero(took_part)) / spread,
                bytes=None if result is None else link_bytes(described.kind, participants, result),
                wait_per_step_ps=round(int(waits.wait_ps[rows].sum()) / spread),
                move_per_step_ps=round(int(waits.move_ps(*came).sum()) / spread),
                bytes_per_s=best.get(op),
                latest=self._summary.hosts[int(names[counts.argmax()])].name,
                latest_ratio=float(counts.max() / counts.sum()),
                **self._frames.place_fields(next(iter(self._frames.of(described.stack)), None)),
            )

    def _clock_rows(self) -> Iterator[ClockRow]:
        comparison, instances = self._comparison, self._comparison.instances
        clocks = comparison.clocks
        took_part = instances.took_part
        for number, host in enumerate(self._summary.hosts):
            own, others = comparison.is_of_host(number), ~comparison.is_of_host(number)
            met = took_part[:, own].any(axis=1) & took_part[:, others].any(axis=1) & instances.is_barrier
            error_ps = int(clocks.error_ps[number])
            yield ClockRow(
                host=host.name,
                started_ns=host.started_ns,
                offset_ps=int(clocks.offset_ps[number]) if error_ps >= 0 else None,
                offset_error_ps=error_ps if error_ps >= 0 else None,
                applied_offset_ps=int(clocks.applied_ps[number]),
                meetings=int(np.count_nonzero(met)),
            )

    def _device_slow(self, row: CoreRow, costs: Costs, step_ps: int) -> Finding:
        number = costs.named if costs.named is not None else 0
        devices = np.arange(len(self._summary.devices), dtype=np.int32)
        longer = longer_work(self._comparison, devices, number)
        place = self._frames.place_fields(next(iter(self._frames.of(longer.op.stack)), None)) if longer else {}
        return advice(
            "device-slow",
            device=row.device,
            cost_ps=row.cost_per_step_ps,
            step_ps=step_ps,
            op=(longer.op.op_name or longer.op.name) if longer else None,
            path=place.get("path"),
            line=place.get("line"),
        )


def _host_slow(row: HostRow, step_ps: int) -> Finding:
    return advice(
        "host-slow",
        host=row.host,
        cost_ps=row.cost_per_step_ps,
        step_ps=step_ps,
        reason=row.reason,
        path=row.path,
        line=row.line,
        op=row.op,
        where=row.where,
    )


def _link_slow(row: LinkRow, step_ps: int) -> Finding:
    return advice(
        "link-slow",
        source=row.source,
        destination=row.destination,
        source_host=row.source_host,
        destination_host=row.destination_host,
        members=", ".join(row.group) if row.kind == "group" else None,
        slower_ratio=row.slower_ratio,
        cost_ps=row.cost_per_step_ps,
        step_ps=step_ps,
        best_bytes_per_s=row.best_bytes_per_s,
    )


def _parts(parts_ps: Int64) -> Mapping[CorePart, int]:
    return dict(zip(PARTS, parts_ps.tolist(), strict=True))


def _means(sums_ps: Int64, steps: int) -> Mapping[CorePart, int]:
    """Means of parts, which sum to the mean of the whole."""
    if not steps:
        return _parts(np.zeros(len(PARTS), dtype=np.int64))
    upto = np.rint(np.cumsum(sums_ps) / steps).astype(np.int64)
    return _parts(np.diff(upto, prepend=0))
