"""Op statistics: every op that ran, with what it took and how well it used the device."""

from collections.abc import Sequence

from scopelight.analysis.ops.records import OpsRecord
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.padding.matrix_unit import assumption

_STATIC = "Nothing of the program ran: FLOPs and bytes are estimated for one run of it, with every branch taken"
_MOST_NAMES = 3


def ops_record(table: OpTable) -> OpsRecord:
    """The record of a table."""
    reason, remedy = why_empty(table)
    return OpsRecord(
        op_time_ps=table.op_time_ps,
        window_ps=table.profile.duration_ps,
        steps=table.totals.steps,
        devices=() if table.is_static else table.totals.device_records,
        device=table.device,
        extent=table.extent,
        matrix_unit=table.matrix_unit,
        peaks=table.peaks.records,
        utilisation_reason=table.peaks.reason,
        utilisation_remedy=table.peaks.remedy,
        rows=tuple(entry.row for entry in table.entries),
        warnings=(*table.warnings, *static_warning(table), *padded_flops_warning(table)),
        reason=reason,
        remedy=remedy,
    )


def static_warning(table: OpTable) -> tuple[str, ...]:
    """What is to be known of a view of a program that did not run."""
    if table.centre.static is None:
        return ()
    loops = table.centre.static.uncounted_loops
    if not loops:
        return (f"{_STATIC}.",)
    more = f" and {len(loops) - _MOST_NAMES} more" if len(loops) > _MOST_NAMES else ""
    which, often = f"the loops {', '.join(loops[:_MOST_NAMES])}{more}", "they run"
    if len(loops) == 1:
        which, often = f"the loop {loops[0]}", "it runs"
    return (f"{_STATIC}, and with the body of {which} run once: how often {often} the program does not say.",)


def padded_flops_warning(table: OpTable) -> Sequence[str]:
    """What is to be known of padded FLOPs that were rounded up to an assumed matrix unit."""
    pads = any(entry.row.padded_flops != entry.row.flops for entry in table.entries)
    return tuple(assumption(table.matrix_unit)) if pads else ()


def why_empty(table: OpTable, *, of_time: bool = False) -> tuple[str | None, str | None]:
    """Why a view of a table has nothing to show, and what to do; None where there is something.

    A view ``of_time`` has nothing to show of a program that did not run.
    """
    if table.entries and not (of_time and table.is_static):
        return None, None
    if table.is_static:
        return (
            "The file holds compiled programs, but nothing of them ran while it was made.",
            "Open a profile of a run instead; `scopelight run SCRIPT` makes one.",
        )
    return (
        "No op ran on a device while the profile was made.",
        "Capture while the program computes: `scopelight run SCRIPT` chooses the window itself.",
    )
