"""The roofline: what each op and program reached, against what its intensity allows."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import numpy as np

from scopelight.analysis.missing_programs import unsaid, without_room
from scopelight.analysis.ops.notes import peak_notes
from scopelight.analysis.ops.records import RooflineCeiling, RooflineRecord, RooflineRoof, RooflineRow
from scopelight.analysis.ops.statistics import why_empty
from scopelight.analysis.ops.table import OpEntry, OpTable
from scopelight.analysis.ops.utilisation import MAIN, lacks_peak, together
from scopelight.analysis.records import place_fields
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.keys import digest
from scopelight.findings import PROFILE_SCRIPT, empty
from scopelight.formats.columns import distinct_values
from scopelight.model.devices.peaks import Peaks

_PS_PER_S = 10**12


def roofline_record(table: OpTable) -> RooflineRecord:
    """A point for each op, and each program, in each memory space that it moves bytes of."""
    ops = [entry for entry in table.entries if _has_point(entry)]
    rows = [row for entry in ops for row in _op_rows(table, entry)]
    why_none = tuple(why_empty(table, of_time=True))
    if not why_none:
        rows.extend(_program_rows(table))
    unknown_ps = table.op_time_ps - sum(entry.row.self_ps for entry in ops)
    if not why_none and not rows:
        why_none = (without_room(table.profile) or empty("no-op-with-flops-and-bytes", PROFILE_SCRIPT),)
    return RooflineRecord(
        extent=table.extent,
        op_time_ps=table.op_time_ps,
        unknown_ps=unknown_ps,
        roofs=tuple(_roofs(table)),
        peaks=table.peaks.records,
        rows=tuple(rows),
        ceilings=tuple(_ceilings(table)),
        findings=(*why_none, *unsaid(table.findings, why_none)),
    )


def _has_point(entry: OpEntry) -> bool:
    row = entry.row
    return bool(row.flops and any(row.bytes_by_space.values()) and row.wall_ps > 0 and not row.asynchronous)


def _op_rows(table: OpTable, entry: OpEntry) -> Iterator[RooflineRow]:
    op, used = entry.row, entry.utilisation
    assert op.flops is not None
    work = _Work(op.flops, op.bytes_by_space, op.wall_ps, op.element_type)
    yield from _points(
        work,
        table.peaks.of_device.get(entry.device),
        op.key,
        kind="op",
        label=op.name,
        category=op.category,
        op_key=op.key,
        **place_fields(op),
        self_ps=op.self_ps,
        share_ratio=op.share_ratio,
        efficiency_ratio=used.greatest_ratio,
        bound_by=used.bound_by,
        findings=op.findings,
        primitive=op.primitive,
        phase=op.phase,
    )


def _program_rows(table: OpTable) -> Iterator[RooflineRow]:
    by_program: dict[tuple[str, str], list[OpEntry]] = {}
    for entry in table.entries:
        if entry.row.program_id or entry.row.program:
            by_program.setdefault((entry.row.program_id, entry.row.program), []).append(entry)
    run_time_ps = _run_time_ps(table)
    for (program_id, program), entries in by_program.items():
        wall_ps = run_time_ps.get((program_id, program), 0) or sum(entry.row.wall_ps for entry in entries)
        flops_of_type, spaces = Counter[str](), Counter[str]()
        for entry in entries:
            flops_of_type[entry.row.element_type] += entry.row.flops or 0
            spaces.update(entry.row.bytes_by_space)
        flops = flops_of_type.total()
        if not flops or wall_ps <= 0:
            continue
        without_peak = sum(entry.row.flops or 0 for entry in entries if entry.utilisation.lacks_compute_peak)
        used = attrs.evolve(
            together(entry.utilisation for entry in entries),
            wall_ps=wall_ps,
            lacks_compute_peak=lacks_peak(flops, without_peak),
        )
        self_ps = sum(entry.row.self_ps for entry in entries)
        peaks = table.peaks.of_device.get(entries[0].device)
        yield from _points(
            _Work(flops, spaces, wall_ps, max(flops_of_type, key=lambda each: flops_of_type[each])),
            peaks,
            entries[0].row.program_key,
            kind="program",
            label=program,
            program_id=program_id,
            self_ps=self_ps,
            share_ratio=self_ps / table.op_time_ps if table.op_time_ps else 0.0,
            efficiency_ratio=used.greatest_ratio,
            bound_by=used.bound_by,
            findings=tuple(peak_notes(used)),
            utilisation_is_least=used.lacks_compute_peak,
        )


@attrs.frozen(eq=False, repr=False)
class _Work:
    """What an op or a program did in ``wall_ps``."""

    flops: int
    bytes_by_space: Mapping[str, int]
    wall_ps: int
    element_type: str


def _points(work: _Work, peaks: Peaks | None, key: str, **fields: Any) -> Iterator[RooflineRow]:  # noqa: ANN401
    """A point for each memory space that the work moves bytes of; ``fields`` are what they have in common."""
    for space, moved in work.bytes_by_space.items():
        if moved:
            yield RooflineRow(
                key=digest(key, space),
                space=space,
                element_type=work.element_type,
                flops=work.flops,
                bytes=moved,
                intensity_flops_per_byte=work.flops / moved,
                flops_per_s=work.flops / work.wall_ps * _PS_PER_S,
                bytes_per_s=moved / work.wall_ps * _PS_PER_S,
                limit_flops_per_s=_limit(peaks, work.element_type, space, work.flops / moved),
                **fields,
            )


def _run_time_ps(table: OpTable) -> Mapping[tuple[str, str], int]:
    """How long the runs of each program took on the devices of the table, of those that began in its scope."""
    runs = table.profile.runs
    sums: dict[tuple[str, str], int] = {}
    of_devices = np.isin(runs.device, table.totals.device_rows)
    if table.extent.kind != "window":
        of_devices &= (step_of(runs.start_ps, table.centre.steps) >= 0) == (table.extent.kind == "steps")
    for row in distinct_values(runs.program[of_devices]).tolist():
        program = table.centre.executions.programs[row]
        key = (program.program_id, program.name)
        duration_ps = int(runs.duration_ps[of_devices & (runs.program == row)].sum())
        sums[key] = sums.get(key, 0) + duration_ps
    return sums


def _limit(peaks: Peaks | None, element_type: str, space: str, intensity: float) -> float | None:
    """FLOP rate that the roofline allows at an intensity; None where it has no roof there."""
    if peaks is None:
        return None
    compute, bandwidth = peaks.flops_per_s_of(element_type), peaks.bytes_per_s.get(space)
    return None if compute is None or bandwidth is None else min(compute, intensity * bandwidth)


def _ceilings(table: OpTable) -> Iterator[RooflineCeiling]:
    """What lies above the slope of main memory, of the device whose roofs are drawn."""
    peaks = next(iter(table.peaks.of_device.values()), None)
    if peaks is not None and peaks.cache_bytes_per_s and peaks.cache_bytes_per_s > peaks.bytes_per_s.get(MAIN, 0):
        yield RooflineCeiling("caches", MAIN, peaks.cache_bytes_per_s)


def _roofs(table: OpTable) -> Iterator[RooflineRoof]:
    """The roofs of the types that ops computed in; of several devices the first."""
    peaks = next(iter(table.peaks.of_device.values()), None)
    if peaks is None:
        return
    types = dict.fromkeys(entry.row.element_type for entry in table.entries if entry.row.flops)
    for element_type in types:
        compute = peaks.flops_per_s_of(element_type)
        for space, bandwidth in peaks.bytes_per_s.items():
            if compute and bandwidth:
                yield RooflineRoof(element_type, space, compute, bandwidth, compute / bandwidth)
