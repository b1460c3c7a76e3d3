"""Sums over the executions of each op, in whole picoseconds."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.totals.totals import Totals
from scopelight.formats.columns import Int64
from scopelight.model.executions import Executions


@attrs.frozen(eq=False)
class OpSums:
    """One entry for each op that ran, in the order in which the profile names them.

    What several hosts ran of one program is one op: ``rows`` are its rows in `Executions.ops`, the longest first.
    ``wall_ps`` is the self time, with no execution longer than from its start to its end where threads share it.
    ``inside_ps`` and ``inside_executions`` are of the complete steps, None without any.
    """

    rows: Sequence[Sequence[int]]
    executions: Int64
    self_ps: Int64
    wall_ps: Int64
    least_ps: Int64
    greatest_ps: Int64
    inside_ps: Int64 | None
    inside_executions: Int64 | None

    def __len__(self) -> int:
        return len(self.rows)


def op_sums(executions: Executions, totals: Totals) -> OpSums:
    """Add up the executions by op."""
    entry, rows = _entries(executions, totals)
    count = len(rows)
    of_execution = entry[executions.op]
    wall_ps = np.zeros(count, dtype=np.int64)
    np.add.at(wall_ps, of_execution, _wall_ps(executions))
    least_ps = np.full(count, np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(least_ps, of_execution, executions.self_ps)
    greatest_ps = np.full(count, np.iinfo(np.int64).min, dtype=np.int64)
    np.maximum.at(greatest_ps, of_execution, executions.self_ps)
    return OpSums(
        rows=rows,
        executions=_by_entry(totals.executions, entry, count),
        self_ps=_by_entry(totals.self_ps, entry, count),
        wall_ps=wall_ps,
        least_ps=least_ps,
        greatest_ps=greatest_ps,
        inside_ps=None if totals.inside_ps is None else _by_entry(totals.inside_ps, entry, count),
        inside_executions=(
            None if totals.inside_executions is None else _by_entry(totals.inside_executions, entry, count)
        ),
    )


def _wall_ps(executions: Executions) -> Int64:
    """By execution, the wall clock that its self time took.

    Only on a CPU do several threads work for one execution. Elsewhere the two may be told by different clocks.
    """
    threaded = np.array([device.kind == "cpu" for device in executions.devices], dtype=np.bool_)
    at_most_ps = np.minimum(executions.self_ps, executions.duration_ps)
    return np.where(threaded[executions.device], at_most_ps, executions.self_ps)


def _entries(executions: Executions, totals: Totals) -> tuple[Int64, list[list[int]]]:
    """The entry of each op that ran, -1 for the others, and the ops of each entry."""
    entry = np.full(len(executions.ops), -1, dtype=np.int64)
    entries: dict[tuple[str, str, str, str], int] = {}
    rows: list[list[int]] = []
    for row in np.flatnonzero(totals.executions).tolist():
        op = executions.ops[row]
        program = executions.programs[op.program] if op.program >= 0 else None
        key = (program.program_id if program else "", program.name if program else "", op.name, op.op_name)
        place = entries.setdefault(key, len(rows))
        if place == len(rows):
            rows.append([])
        rows[place].append(row)
        entry[row] = place
    for each in rows:
        each.sort(key=lambda row: -int(totals.self_ps[row]))
    return entry, rows


def _by_entry(by_op: Int64, entry: Int64, count: int) -> Int64:
    sums = np.zeros(count, dtype=np.int64)
    ran = entry >= 0
    np.add.at(sums, entry[ran], by_op[ran])
    return sums
