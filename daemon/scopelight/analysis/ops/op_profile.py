"""The op profile: the time of the ops as a tree, by category, program, scope or line of source."""

from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.missing_programs import unsaid
from scopelight.analysis.ops.elements import Element
from scopelight.analysis.ops.notes import peak_notes
from scopelight.analysis.ops.records import OpProfileGrouping, OpProfileKind, OpProfileRecord, OpProfileRow
from scopelight.analysis.ops.statistics import why_empty
from scopelight.analysis.ops.table import OpEntry, OpTable
from scopelight.analysis.ops.utilisation import Utilisation, UtilisationSums, added, lacks_peak
from scopelight.analysis.totals.charging import apportion
from scopelight.analysis.totals.keys import digest
from scopelight.program.hlo.frames import Frame

MOST_ELEMENT_ROWS = 20_000
"""Of all fusions together; the longest fusions have theirs."""
OUTSIDE_PROGRAMS = "outside of programs"
WITHOUT_LINE = "without a line"


@attrs.define(slots=True, eq=False)
class _Node:
    """A node while it is being added up. Sums are None until something is known."""

    key: str
    kind: OpProfileKind
    label: str
    category: str = ""
    op_key: str | None = None
    frame: Frame | None = None
    executions: int = 0
    self_ps: int = 0
    wasted_ps: int | None = None
    flops: int | None = None
    bytes: int | None = None
    used: UtilisationSums = attrs.field(factory=UtilisationSums)
    children: dict[str, "_Node"] = attrs.field(factory=dict)
    elements: Sequence[Element] = ()
    beside_ps: int = 0
    """Wall clock of the ops whose work goes on beside others."""
    flops_without_peak: int = 0
    unweighed_ps: int = 0
    """Self time of which it is not known what was wasted."""
    has_estimate: bool = False
    """Whether the time of any op below is known."""

    def child(self, kind: OpProfileKind, label: str, frame: Frame | None = None) -> "_Node":
        """The group of a label, made where it is new."""
        node = self.children.get(label)
        if node is None:
            node = self.children[label] = _Node(
                digest(self.key, kind, label),
                kind,
                label,
                label if kind == "category" else "",
                frame=frame,
            )
        return node

    def add(self, part: "_Part") -> None:
        """Count a part of an op."""
        self.has_estimate |= part.entry.row.has_estimate
        self.executions += part.executions
        self.self_ps += part.self_ps
        self.used.add(part.used)
        self.wasted_ps = added(self.wasted_ps, part.wasted_ps)
        if part.wasted_ps is None:
            self.unweighed_ps += part.self_ps
        self.flops = added(self.flops, part.flops)
        self.bytes = added(self.bytes, part.bytes)
        if part.used.is_beside:
            self.beside_ps += part.used.wall_ps
        if part.used.lacks_compute_peak:
            self.flops_without_peak += part.flops or 0


@attrs.frozen(slots=True, eq=False)
class _Part:
    """What of an op stands at one place of the tree: the whole of it, but for an op that lines share."""

    entry: OpEntry
    frame: Frame | None
    executions: int
    self_ps: int
    used: Utilisation
    wasted_ps: int | None
    flops: int | None
    bytes: int | None


def op_profile_record(table: OpTable, grouping: OpProfileGrouping) -> OpProfileRecord:
    """The tree of a table in one grouping. The times of the children of a node sum to its own exactly."""
    tree = _Tree(table, grouping)
    why_none = tuple(why_empty(table, of_time=True))
    return OpProfileRecord(
        grouping=grouping,
        extent=table.extent,
        op_time_ps=table.op_time_ps,
        wall=table.scoped.wall,
        rows=tuple(tree.rows()) if not why_none else (),
        findings=(*why_none, *unsaid(table.findings, why_none)),
    )


class _Tree:
    def __init__(self, table: OpTable, grouping: OpProfileGrouping) -> None:
        self._table = table
        self._grouping = grouping
        self._frames = table.centre.frames
        self._element_rows = 0
        self._op_of = {entry.row.key: entry.row for entry in table.entries}
        self.idle_ps = table.scoped.wall.idle_ps if table.scoped.wall is not None else 0
        self._root = _Node("total", "total", "total")
        names = {entry.row.program: entry.row.program_id for entry in table.entries}
        self._ambiguous = {
            entry.row.program for entry in table.entries if names[entry.row.program] != entry.row.program_id
        }
        for entry in table.entries:
            for part in self._parts(entry):
                self._place(part)

    def rows(self) -> Iterator[OpProfileRow]:
        """The rows in preorder."""
        whole_ps = self._root.self_ps + self.idle_ps
        if self.idle_ps:
            self._root.self_ps = whole_ps
            self._root.children["\0idle"] = _Node("idle", "idle", "idle", self_ps=self.idle_ps)
        pending = [(self._root, 0)]
        while pending:
            node, depth = pending.pop()
            yield self._row(node, depth, whole_ps)
            for element in node.elements:
                yield self._element_row(element, node, depth + 1)
            children = sorted(node.children.values(), key=lambda each: -each.self_ps)
            pending.extend((child, depth + 1) for child in reversed(children))

    def _place(self, part: _Part) -> None:
        row = part.entry.row
        node = self._root
        node.add(part)
        for kind, label, frame in self._path(part):
            node = node.child(kind, label, frame)
            node.add(part)
        key = row.key if node.kind != "line" or self._is_first(part) else digest(row.key, node.key)
        leaf = _Node(key, "op", row.name, row.category, row.key, part.frame)
        leaf.add(part)
        if self._element_rows < MOST_ELEMENT_ROWS:
            leaf.elements = [
                element
                for element in self._table.elements.of(part.entry.op)
                if self._grouping != "line" or _same_line(element.frame, part.frame)
            ]
            self._element_rows += len(leaf.elements)
        node.children[f"\0{key}"] = leaf

    def _is_first(self, part: _Part) -> bool:
        first = self._frames_of(part.entry)
        return not first or _same_line(first[0], part.frame)

    def _path(self, part: _Part) -> Iterator[tuple[OpProfileKind, str, Frame | None]]:
        row = part.entry.row
        if self._grouping == "category":
            yield "category", row.category, None
        elif self._grouping == "program":
            yield "program", self._program(part.entry), None
            yield "category", row.category, None
        elif self._grouping == "scope":
            for level in part.entry.scope:
                yield "scope", level, None
        elif part.frame is None:
            yield "line", WITHOUT_LINE, None
        else:
            file = self._frames.file_of(part.frame)
            yield "line", f"{file.path or ''}:{part.frame.line}", part.frame

    def _program(self, entry: OpEntry) -> str:
        row = entry.row
        if not row.program and not row.program_id:
            return OUTSIDE_PROGRAMS
        return f"{row.program} ({row.program_id})" if row.program in self._ambiguous else row.program

    def _frames_of(self, entry: OpEntry) -> Sequence[Frame]:
        return [part.frame for charged in entry.charged for part in charged.parts]

    def _parts(self, entry: OpEntry) -> Iterator[_Part]:
        """The op as a whole, or its parts by line."""
        row, used = entry.row, entry.utilisation
        frames = self._frames_of(entry)
        if self._grouping != "line" or (len(frames) <= 1 and not any(each.lost_ps for each in entry.charged)):
            frame = frames[0] if frames else None
            yield _Part(entry, frame, row.executions, row.self_ps, used, row.wasted_ps, row.flops, row.bytes)
            return
        shares: dict[tuple[str, int] | None, int] = {}
        frame_of: dict[tuple[str, int] | None, Frame | None] = {None: None}
        for charged in entry.charged:
            for part in charged.parts:
                frame_of.setdefault(part.key, part.frame)
                shares[part.key] = shares.get(part.key, 0) + part.self_ps
            if charged.lost_ps:
                shares[None] = shares.get(None, 0) + charged.lost_ps
        weights = [max(0, each) for each in shares.values()]
        if not any(weights):
            weights = [1] * len(shares)
        whole = sum(weights)
        amounts = (_apportioned(amount, weights) for amount in (used.wall_ps, row.wasted_ps, row.flops, row.bytes))
        for (key, self_ps), weight, wall_ps, wasted_ps, flops, moved in zip(
            shares.items(), weights, *amounts, strict=True
        ):
            yield _Part(
                entry,
                frame_of[key],
                row.executions,
                self_ps,
                used.part(weight / whole, wall_ps or 0),
                wasted_ps,
                flops,
                moved,
            )

    def _row(self, node: _Node, depth: int, whole_ps: int) -> OpProfileRow:
        used = _utilisation(node)
        is_idle = node.kind == "idle"
        op = self._op_of.get(node.op_key) if node.op_key is not None else None
        return OpProfileRow(
            key=node.key,
            op_key=node.op_key,
            depth=depth,
            kind=node.kind,
            label=node.label,
            category=node.category,
            **self._frames.place_fields(node.frame),
            executions=None if is_idle else node.executions,
            self_ps=node.self_ps,
            wall_ps=None if is_idle else node.used.wall_ps,
            share_ratio=node.self_ps / whole_ps if whole_ps else 0.0,
            wasted_ps=node.wasted_ps,
            wasted_is_least=node.wasted_ps is not None and node.unweighed_ps > 0,
            flops=node.flops,
            bytes=node.bytes,
            flop_utilisation_ratio=used.flop_ratio,
            bandwidth_utilisation_ratio=used.bandwidth_ratio,
            bound_by=used.bound_by,
            asynchronous=used.is_beside,
            findings=op.findings if op is not None else tuple(peak_notes(used)),
            utilisation_is_least=used.lacks_compute_peak,
            primitive=op.primitive if op is not None else "",
            phase=op.phase if op is not None else None,
            has_estimate=is_idle or node.has_estimate,
        )

    def _element_row(self, element: Element, fusion: _Node, depth: int) -> OpProfileRow:
        return OpProfileRow(
            key=digest(fusion.key, *element.place),
            op_key=fusion.op_key,
            depth=depth,
            kind="element",
            label=element.name,
            category=element.opcode,
            **self._frames.place_fields(element.frame),
            executions=fusion.executions,
            flops=None if element.flops is None else element.flops * fusion.executions,
            primitive=element.primitive,
        )


def _utilisation(node: _Node) -> Utilisation:
    """Of all ops below. None of what goes on beside others alone, or would be faster than a peak because of such."""
    lacks = lacks_peak(node.flops, node.flops_without_peak)
    used = attrs.evolve(node.used.utilisation, lacks_compute_peak=lacks)
    exceeds = any((used.ratio(limit) or 0.0) > 1 for limit in used.seconds)
    is_beside = node.beside_ps > 0 and (exceeds or node.beside_ps == node.used.wall_ps)
    return attrs.evolve(used, is_beside=is_beside)


def _same_line(frame: Frame | None, other: Frame | None) -> bool:
    if frame is None or other is None:
        return frame is other
    return (frame.path, frame.line) == (other.path, other.line)


def _apportioned(amount: int | None, weights: Sequence[int]) -> Sequence[int | None]:
    """An amount divided among parts; ``weights`` may be 0."""
    if amount is None:
        return [None] * len(weights)
    positive = [position for position, weight in enumerate(weights) if weight]
    parts: list[int | None] = [0] * len(weights)
    for position, part in zip(positive, apportion(amount, [weights[each] for each in positive]), strict=True):
        parts[position] = part
    return parts
