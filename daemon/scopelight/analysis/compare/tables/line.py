"""The lines of a run with what each has of a step, compute and waiting together."""

from collections.abc import Sequence

from scopelight.analysis.compare.entries import Entry, Table, shared_out
from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.lines.view import lines as lines_view
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import Scope, ScopeOptions
from scopelight.analysis.padding.options import PaddingOptions
from scopelight.analysis.padding.view import padding
from scopelight.analysis.records import ExtentRecord, LineRecord, LinesRecord
from scopelight.analysis.subject import Subject


def line_table(subject: Subject, scope: Scope) -> Table:
    """The lines that have time of their own, and what has no line: together the wall clock of a device."""
    record = lines_view(subject, ScopeOptions(scope=scope))
    costs = LineCosts(record, ops(subject, OpsOptions(scope=scope)), padding(subject, PaddingOptions(scope=scope)))
    there = [(row, line) for row, line in enumerate(record.lines) if line.wall_ps or line.waiting_ps]
    whole = [line.wall_ps + line.waiting_ps for _, line in there]
    times = shared_out([*whole, record.unattributed_wall_ps, record.unattributed_waiting_ps], divisor(record.extent))
    cores = _on_cores(record, [line for _, line in there])
    entries = [
        _entry(line, time_ps, cpu_ps, costs, row)
        for (row, line), time_ps, cpu_ps in zip(there, times, cores, strict=False)
    ]
    return Table((*entries, *_rest(times[-2], times[-1], cores[-1])))


def divisor(extent: ExtentRecord) -> int:
    """What times of an extent are divided by to be those of a step and a device, or of a device."""
    return max(1, extent.steps) * max(1, extent.devices)


def _on_cores(record: LinesRecord, lines: Sequence[LineRecord]) -> Sequence[int | None]:
    """The CPU time of the lines, and of what has none; None each where it is not known."""
    if record.cpu_ps is None:
        return [None] * (len(lines) + 1)
    times = [*(line.cpu_ps or 0 for line in lines), record.unattributed_cpu_ps or 0]
    return shared_out(times, divisor(record.extent))


def _entry(line: LineRecord, time_ps: int, cpu_ps: int | None, costs: LineCosts, row: int) -> Entry:
    waiting_ratio = line.waiting_ps / (line.wall_ps + line.waiting_ps)
    return Entry(
        key=line.key,
        kind="line",
        label=line.function,
        identities=("line",),
        path=line.path,
        file=line.file,
        line=line.line,
        function=line.function,
        time_ps=time_ps,
        waiting_ps=round(time_ps * waiting_ratio),
        cpu_ps=cpu_ps,
        flops=costs.of(row).flops_per_step,
        flops_are_estimated=costs.of(row).is_estimated,
        executions=line.executions_per_step,
    )


def _rest(compute_ps: int, waiting_ps: int, cpu_ps: int | None) -> list[Entry]:
    rest = (
        ("unattributed", compute_ps, 0, cpu_ps),
        ("unattributed-waiting", waiting_ps, waiting_ps, None if cpu_ps is None else 0),
    )
    return [
        Entry(
            key=name,
            kind="rest",
            label=name,
            identities=(name,),
            time_ps=time_ps,
            waiting_ps=of_it_ps,
            cpu_ps=on_cores_ps,
        )
        for name, time_ps, of_it_ps, on_cores_ps in rest
    ]
