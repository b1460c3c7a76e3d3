"""The flame graph of one run as a tree that can be compared."""

from collections.abc import Mapping

import attrs

from scopelight.analysis.compare.entries import Entry, shared_out
from scopelight.analysis.compare.tables.line import divisor
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.flame.flame import flame, rows_of
from scopelight.analysis.flame.measures import op_values
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.flame.parts import op_parts
from scopelight.analysis.flame.records import FlameRow
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of


def flame_entries(subject: Subject, options: FlameOptions, scope: Scope) -> list[TreeEntry]:
    """The frames of the flame graph in a scope. Bytes are those at the peak, whatever the steps."""
    record = flame(subject, attrs.evolve(options, scope=scope))
    steps = 1 if record.unit == "bytes" else divisor(record.extent)
    own = shared_out([row.self_value for row in record.rows], steps)
    cpu = _on_cores(subject, options, scope) if record.unit == "ps" else None
    return [
        TreeEntry(
            key=row.key,
            parent=row.parent,
            kind=row.kind,
            found_by=_found_by(row),
            own=value,
            cpu_ps=None if cpu is None else round(cpu.get(row.key, 0) / steps),
        )
        for row, value in zip(record.rows, own, strict=True)
    ]


def _found_by(row: FlameRow) -> Entry:
    if row.kind != "frame":
        return Entry(key=row.kind, kind="rest", label=row.kind, identities=(row.kind,))
    # A lambda and the function around it share a line; a function that was renamed keeps its lines.
    return Entry(
        key=row.line_key or row.key,
        kind="line",
        label=row.function,
        identities=(("frame", row.function), "frame"),
        path=row.path,
        file=row.file,
        line=row.line,
        function=row.function,
    )


def _on_cores(subject: Subject, options: FlameOptions, scope: Scope) -> Mapping[str, int] | None:
    """By key of a row the CPU time of the ops that were traced there; None where it is not known."""
    centre = centre_of(subject.profile, subject.line_options)
    scoped = centre.scoped(scope, options.device)
    if scoped.cpu is None:
        return None
    values = attrs.evolve(op_values(centre, scoped.totals, "op-time"), value=scoped.cpu.of_op_ps)
    return {row.key: row.self_value for row in rows_of(centre, op_parts(centre, values), libraries=options.libraries)}
