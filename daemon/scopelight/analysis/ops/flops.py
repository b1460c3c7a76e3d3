"""FLOPs: what the model, its scopes and ops computed, against the wall clock and the peaks."""

from collections.abc import Iterator

import attrs

from scopelight.analysis.ops.records import FlopsRecord, FlopsRow
from scopelight.analysis.ops.statistics import findings_of_work
from scopelight.analysis.ops.table import OpEntry, OpTable
from scopelight.analysis.ops.utilisation import COMPUTE, added, lacks_peak
from scopelight.analysis.records import Phase, place_fields
from scopelight.analysis.totals.keys import digest

_PS_PER_S = 10**12


@attrs.define(slots=True, eq=False)
class _Node:
    """A node while it is being added up. FLOPs are None until those of an op are known."""

    key: str
    label: str
    entry: OpEntry | None = None
    phases: set[Phase] = attrs.field(factory=set)
    self_ps: int = 0
    unknown_ps: int = 0
    flops: int | None = None
    model_flops: int | None = None
    repeated_flops: int = 0
    padded_flops: int | None = None
    unpadded_flops: int = 0
    """FLOPs of the ops whose padded FLOPs are known."""
    seconds: float | None = None
    """That the FLOPs would take at the peak of the type that each ran in."""
    model_seconds: float | None = None
    flops_without_peak: int = 0
    children: dict[str, "_Node"] = attrs.field(factory=dict)

    def add(self, part: "_Work") -> None:
        """Count an op."""
        self.phases.add(part.entry.row.phase)
        self.self_ps += part.self_ps
        if part.flops is None:
            self.unknown_ps += part.self_ps
            return
        self.flops = added(self.flops, part.flops)
        self.model_flops = added(self.model_flops, part.model_flops)
        self.repeated_flops += part.repeated_flops or 0
        self.padded_flops = added(self.padded_flops, part.padded_flops)
        if part.padded_flops is not None:
            self.unpadded_flops += part.flops
        if part.entry.utilisation.lacks_compute_peak:
            self.flops_without_peak += part.flops
        self.seconds = added(self.seconds, part.seconds)
        self.model_seconds = added(self.model_seconds, part.model_seconds)


@attrs.frozen(slots=True, eq=False)
class _Work:
    """What an op computed in the time that is looked at."""

    entry: OpEntry
    self_ps: int
    flops: int | None
    model_flops: int | None
    repeated_flops: int | None
    padded_flops: int | None
    seconds: float | None
    model_seconds: float | None


def flops_record(table: OpTable) -> FlopsRecord:
    """FLOPs of the whole model, its scopes and ops, in what is looked at."""
    wall_ps = table.extent.duration_ps * table.extent.devices
    root = _Node("model", "model")
    for entry in table.entries:
        _place(root, _work(entry))
    return FlopsRecord(
        extent=table.extent,
        wall_ps=wall_ps,
        steps=table.extent.steps,
        matrix_unit=table.matrix_unit,
        peaks=table.peaks.records,
        rows=tuple(_rows(root, wall_ps)) if table.entries else (),
        findings=tuple(findings_of_work(table)),
    )


def _work(entry: OpEntry) -> _Work:
    row = entry.row
    if not row.executions:
        # A program that did not run: one run of it.
        return _Work(entry, 0, row.flops, row.model_flops, entry.repeated_flops, row.padded_flops, None, None)
    seconds = entry.utilisation.seconds.get(COMPUTE)
    model = row.model_flops / row.flops if row.flops and row.model_flops is not None else None
    return _Work(
        entry,
        row.self_ps,
        row.flops,
        row.model_flops,
        entry.repeated_flops,
        row.padded_flops,
        seconds,
        seconds * model if seconds is not None and model is not None else seconds if row.flops == 0 else None,
    )


def _place(root: _Node, work: _Work) -> None:
    node = root
    node.add(work)
    for level in work.entry.scope:
        child = node.children.get(level)
        if child is None:
            child = node.children[level] = _Node(digest(node.key, level), level)
        node = child
        node.add(work)
    key = work.entry.row.key
    leaf = node.children[f"\0{key}"] = _Node(key, work.entry.row.name, work.entry)
    leaf.add(work)


def _rows(root: _Node, wall_ps: int) -> Iterator[FlopsRow]:
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        yield _row(node, depth, wall_ps)
        children = sorted(node.children.values(), key=lambda each: (-(each.flops or 0), -each.self_ps))
        pending.extend((child, depth + 1) for child in reversed(children))


def _row(node: _Node, depth: int, wall_ps: int) -> FlopsRow:
    op = node.entry.row if node.entry is not None else None
    seconds = wall_ps / _PS_PER_S
    return FlopsRow(
        key=node.key,
        depth=depth,
        kind="op" if op is not None else "scope" if depth else "model",
        label=node.label,
        **place_fields(op),
        phase=next(iter(node.phases)) if len(node.phases) == 1 else None,
        self_ps=node.self_ps,
        flops=node.flops,
        model_flops=node.model_flops,
        padded_flops=node.padded_flops,
        unknown_ps=node.unknown_ps,
        flops_per_s=node.flops / seconds if node.flops is not None and seconds else None,
        mfu_ratio=node.model_seconds / seconds if node.model_seconds is not None and seconds else None,
        hfu_ratio=node.seconds / seconds if node.seconds is not None and seconds else None,
        padding_waste_ratio=1 - node.unpadded_flops / node.padded_flops if node.padded_flops else None,
        recompute_ratio=node.repeated_flops / node.flops if node.flops else None,
        utilisation_is_least=lacks_peak(node.flops, node.flops_without_peak),
        primitive=op.primitive if op is not None else "",
    )
