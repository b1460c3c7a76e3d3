"""Op statistics: every op that ran, with what it took and how well it used the device."""

from collections.abc import Iterator

from scopelight.analysis.missing_programs import nothing_in_scope, nothing_ran
from scopelight.analysis.ops.records import OpsRecord
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.padding.matrix_unit import assumption
from scopelight.findings import Finding, warning


def ops_record(table: OpTable) -> OpsRecord:
    """The record of a table."""
    return OpsRecord(
        op_time_ps=table.op_time_ps,
        window_ps=table.profile.duration_ps,
        steps=table.extent.steps,
        devices=() if table.is_static else table.totals.device_records(table.profile.capture),
        device=table.device,
        extent=table.extent,
        matrix_unit=table.matrix_unit,
        peaks=table.peaks.records,
        rows=tuple(entry.row for entry in table.entries),
        findings=tuple(findings_of_work(table)),
    )


def findings_of_work(table: OpTable) -> Iterator[Finding]:
    """What is to be known of the FLOPs and bytes of a table: why there are none, and how they are to be read."""
    yield from why_empty(table)
    yield from table.findings
    if table.centre.static is not None:
        yield warning("program-estimated", uncounted_loops=tuple(table.centre.static.uncounted_loops))
    if any(entry.row.padded_flops != entry.row.flops for entry in table.entries):
        yield from assumption(table.matrix_unit)


def why_empty(table: OpTable, *, of_time: bool = False) -> Iterator[Finding]:
    """Why a view of a table has nothing to show; nothing where there is something.

    A view ``of_time`` has nothing to show of a program that did not run.
    """
    if not table.entries and len(table.profile.executions):
        yield nothing_in_scope(table.profile, "outside" if table.extent.kind == "outside" else "steps")
    elif not table.entries or (of_time and table.is_static):
        yield nothing_ran(table.profile)
