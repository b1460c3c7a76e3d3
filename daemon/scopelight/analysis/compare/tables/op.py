"""The ops of a run, by themselves, by scope, and by the shapes that they work on."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from scopelight.analysis.compare.entries import Entry, Table, shared_out
from scopelight.analysis.compare.records import RowKind
from scopelight.analysis.compare.tables.line import divisor
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.records import OpRow, OpsRecord
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.keys import digest, program_base


def op_table(subject: Subject, scope: Scope) -> Table:
    """Every op with its self time: together the op time of a step and a device."""
    record = ops(subject, OpsOptions(scope=scope))
    times = shared_out([row.self_ps for row in record.rows], divisor(record.extent))
    cores = _on_cores(record)
    return Table([_op(*each, record) for each in zip(record.rows, times, cores, strict=True)])


def scope_table(subject: Subject, scope: Scope) -> Table:
    """The scopes of the program, each with the ops that are in it and in none inside it."""
    return _grouped(subject, scope, "scope", lambda row: row.scope)


def shape_table(subject: Subject, scope: Scope) -> Table:
    """What ops do with which shapes, wherever they do it."""
    return _grouped(subject, scope, "shape", _shapes)


def kind_of_row(row: OpRow) -> str:
    """What an op does: what jax calls it, else its opcode."""
    return row.primitive or row.opcode or row.name.partition(".")[0]


def _on_cores(record: OpsRecord) -> Sequence[int | None]:
    """The CPU time of the ops; None each where it is not known of all."""
    times = [row.cpu_ps for row in record.rows]
    known = [each for each in times if each is not None]
    return shared_out(known, divisor(record.extent)) if len(known) == len(times) else [None] * len(times)


def _op(row: OpRow, time_ps: int, cpu_ps: int | None, record: OpsRecord) -> Entry:
    program = program_base(row.program)
    kind = (row.opcode, row.category, row.primitive, row.phase)
    path = row.op_name.rpartition("/")[2]
    return Entry(
        key=row.key,
        kind="op",
        label=f"{kind_of_row(row)} {row.shape}".rstrip(),
        identities=(
            (program, row.scope, path, kind, row.shape, row.operand_shapes),
            (program, row.scope, path, kind),
            (program, path, kind),
            kind if row.line is not None else (program, kind),
            # Another build may do by a fusion, or by a call of a library, what this one does by an op of its own.
            *([(program, row.primitive, row.phase, row.shape)] if row.primitive else []),
        ),
        path=row.path,
        file=row.file,
        line=row.line,
        function=row.function,
        phase=row.phase,
        time_ps=time_ps,
        cpu_ps=cpu_ps,
        flops=_per_step(row.flops, record),
        executions=row.executions_per_step,
    )


def _grouped(subject: Subject, scope: Scope, kind: RowKind, name: Callable[[OpRow], str]) -> Table:
    record = ops(subject, OpsOptions(scope=scope))
    groups: dict[str, list[OpRow]] = defaultdict(list)
    for row in record.rows:
        groups[name(row)].append(row)
    times = shared_out([sum(row.self_ps for row in rows) for rows in groups.values()], divisor(record.extent))
    by_key = dict(zip((row.key for row in record.rows), _on_cores(record), strict=True))
    return Table(
        [
            Entry(
                key=digest(kind, label),
                kind=kind if label else "rest",
                label=label or f"without-{kind}",
                identities=(label,),
                time_ps=time_ps,
                cpu_ps=_whole(by_key[row.key] for row in rows),
                flops=_sum(_per_step(row.flops, record) for row in rows),
                executions=_sum(row.executions_per_step for row in rows),
            )
            for (label, rows), time_ps in zip(groups.items(), times, strict=True)
        ]
    )


def _shapes(row: OpRow) -> str:
    operands: Sequence[str] = row.operand_shapes
    return f"{kind_of_row(row)} {', '.join(operands)} \N{RIGHTWARDS ARROW} {row.shape}" if row.shape else ""


def _per_step(value: int | None, record: OpsRecord) -> float | None:
    """A total of an op as that of a step, over all devices."""
    if value is None or not record.extent.steps:
        return None
    return value / record.extent.steps


def _whole(values: Iterable[int | None]) -> int | None:
    """The sum; None where one is not known."""
    known = list(values)
    return None if any(each is None for each in known) else sum(each or 0 for each in known)


def _sum(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return sum(known) if known else None
