"""The op profile of one run as a tree that can be compared."""

from collections.abc import Mapping

from scopelight.analysis.compare.entries import Entry, shared_out
from scopelight.analysis.compare.tables.line import divisor
from scopelight.analysis.compare.tables.op import op_table
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.lines.view import lines as lines_view
from scopelight.analysis.ops.op_profile import WITHOUT_LINE
from scopelight.analysis.ops.options import OpProfileOptions, OpsOptions
from scopelight.analysis.ops.records import OpProfileRow, OpRow
from scopelight.analysis.ops.views import op_profile, ops
from scopelight.analysis.options import Scope, ScopeOptions
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.keys import program_base


def op_profile_entries(subject: Subject, options: OpProfileOptions, scope: Scope) -> list[TreeEntry]:
    """The nodes of the profile in a scope, idle time among them, without what is inside fusions: it has no time."""
    record = op_profile(subject, OpProfileOptions(options.by, options.device, scope))
    rows = [row for row in record.rows if row.kind != "element"]
    parents, own = _above(rows), [row.self_ps or 0 for row in rows]
    for row, above in zip(rows, parents, strict=True):
        if above is not None:
            own[above] -= row.self_ps or 0
    times = shared_out(own, divisor(record.extent))
    found = _Found(subject, options, scope)
    return [
        TreeEntry(
            key=row.key,
            parent=None if above is None else rows[above].key,
            kind=row.kind,
            found_by=found.by(row),
            own=time_ps,
            waiting_ps=time_ps if row.kind == "idle" else 0,
            cpu_ps=found.cpu_ps(row, divisor(record.extent)),
            category=row.category,
            primitive=row.primitive,
            op_key=row.op_key,
        )
        for row, above, time_ps in zip(rows, parents, times, strict=True)
    ]


def _above(rows: list[OpProfileRow]) -> list[int | None]:
    """The position of the row above each, of rows in preorder."""
    found: list[int | None] = []
    path: list[int] = []
    for position, row in enumerate(rows):
        del path[row.depth :]
        found.append(path[-1] if path else None)
        path.append(position)
    return found


class _Found:
    """What nodes are found by on the other side."""

    def __init__(self, subject: Subject, options: OpProfileOptions, scope: Scope) -> None:
        self._ops: Mapping[str, Entry] = {entry.key: entry for entry in op_table(subject, scope).entries}
        record = ops(subject, OpsOptions(options.device, scope=scope))
        self._rows: Mapping[str, OpRow] = {row.key: row for row in record.rows}
        self._lines: Mapping[tuple[str | None, int | None], tuple[str, str]] = {}
        if options.by == "line":
            lines = lines_view(subject, ScopeOptions(scope)).lines
            self._lines = {(line.file, line.line): (line.key, line.function) for line in lines}

    def by(self, row: OpProfileRow) -> Entry:
        op = self._ops.get(row.op_key or "")
        if op is not None:
            return op
        if row.kind == "line" and row.label != WITHOUT_LINE:
            key, function = self._lines.get((row.file, row.line), (row.label, ""))
            return Entry(
                key=key,
                kind="line",
                label=row.label,
                identities=("line",),
                path=row.path,
                file=row.file,
                line=row.line,
                function=function,
            )
        name = program_base(row.label) if row.kind == "program" else row.label
        return Entry(key=row.label, kind="scope", label=row.label, identities=((row.kind, name),))

    def cpu_ps(self, row: OpProfileRow, steps: int) -> int | None:
        """What a node has of cores itself, of a step and a device: of an op that lines share its part."""
        if row.kind != "op":
            return 0
        op = self._rows.get(row.op_key or "")
        if op is None or op.cpu_ps is None:
            return None
        part = (row.self_ps or 0) / op.self_ps if op.self_ps else 1.0
        return round(op.cpu_ps * part / steps)
