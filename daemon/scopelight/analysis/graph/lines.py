"""The level of lines: a node for each line and phase, with what the view of lines charges it, and what they hand on."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from scopelight.analysis.graph.inside_fusions import Place, handed_inside
from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.records import GraphEdge, GraphNode
from scopelight.analysis.records import PHASE_NAMES, Basis
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import apportion
from scopelight.analysis.totals.keys import digest
from scopelight.analysis.totals.scoped import Scoped
from scopelight.formats.columns import distinct_values
from scopelight.model.cost.op_cost import OpCosts
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import Instruction
from scopelight.program.hlo.sizes import byte_size, leaves
from scopelight.program.hlo.tiling import padded_byte_size

MOST_LINES = 60
"""Nodes of this level: a person reads no more at once."""


@attrs.define(eq=False, repr=False)
class _Line:
    frame: Frame
    self_ps: int | None = None
    """None as long as of no op of it it is known."""
    executions: int = 0
    ops: int = 0
    bytes: int | None = None
    padded_bytes: int | None = None
    padding_bytes: int | None = None
    memory_at_peak_bytes: int | None = None

    def add(self, name: str, amount: int | None) -> None:
        """Add to a figure what is known."""
        if amount is not None:
            setattr(self, name, (getattr(self, name) or 0) + amount)


@attrs.frozen(eq=False, repr=False)
class LinesLevel:
    """Nodes, the longest first, edges, and how many lines were put together as the rest."""

    nodes: Sequence[GraphNode]
    edges: Sequence[GraphEdge]
    op_time_ps: int
    unattributed_ps: int
    left_out: int


def line_node_key(centre: Centre, frame: Frame, phase: int) -> str:
    """The key of the node of a line in a phase."""
    return digest("line", centre.line_key(frame), phase)


def rest_key(program: str | None) -> str:
    """The key of the node of what there was no room for, of a program or of all."""
    return digest("rest", "lines", *([program] if program is not None else []))


class LinesGraph:
    """The lines of some programs, or of all, in a scope."""

    def __init__(
        self,
        centre: Centre,
        scoped: Scoped,
        costs: OpCosts,
        basis: Basis | None,
        programs: Sequence[GraphedProgram],
        *,
        only: GraphedProgram | None = None,
        memory: Mapping[Place, int] | None = None,
    ) -> None:
        """``programs`` are those that edges are of; ops of others count as well unless ``only`` is one of them."""
        self._centre, self._scoped, self._costs, self._basis = centre, scoped, costs, basis
        self._programs = programs
        self._only = only
        self._memory = memory
        self._lines: dict[Place, _Line] = {}
        self._main: dict[int, Place] = {}
        """By the ``id()`` of an instruction the line that most of it is charged to."""
        self._divided: set[int] = set()
        """The ``id()`` of those that several lines are charged with."""
        self._sums = scoped.totals.by_op()
        self._op_time_ps = 0
        self._lost_ps = 0

    def level(self, most: int = MOST_LINES) -> LinesLevel:
        """Its nodes, at most so many: the smallest are one."""
        for row in self._rows():
            self._charge(row)
        if self._memory is not None:
            for place, line in self._lines.items():
                line.memory_at_peak_bytes = self._memory.get(place, 0)
        places = sorted(self._lines, key=lambda place: (*self._size(self._lines[place]), place))
        kept = places if len(places) <= most else places[: most - 1]
        rest = places[len(kept) :]
        keys = {place: self._key(place) for place in kept}
        nodes = [self._node(place, keys[place]) for place in kept]
        if rest:
            key = rest_key(self._only.key if self._only is not None else None)
            keys.update(dict.fromkeys(rest, key))
            nodes.append(self._together(rest, key))
        return LinesLevel(nodes, self._edges(keys), self._op_time_ps, self._lost_ps, len(rest))

    def _rows(self) -> Iterator[int]:
        for row in distinct_values(self._scoped.totals.op).tolist():
            if self._only is None or self._is_of(row, self._only):
                yield row

    def _is_of(self, row: int, program: GraphedProgram) -> bool:
        op = self._centre.executions.ops[row]
        if op.program < 0:
            return False
        of = self._centre.executions.programs[op.program]
        return self._centre.program_key(of.program_id, of.name) == program.key

    def _charge(self, row: int) -> None:
        """Add an op to its lines, its time divided to the picosecond as the view of lines divides it."""
        op, shares = self._centre.executions.ops[row], self._centre.parts[row]
        sums, static = self._sums, self._centre.static
        self_ps, executions = int(sums.self_ps[row]), int(sums.executions[row])
        runs = executions if static is None else static.runs[row]
        cost = self._costs.of(row).bytes
        moved = None if cost is None else cost * runs
        weights = [share.weight for share in shares]
        parts = apportion(self_ps, weights)
        of_bytes = [None] * len(weights) if moved is None else apportion(moved, weights)
        met: dict[Place, int] = {}
        self._op_time_ps += self_ps
        for share, part_ps, part_bytes in zip(shares, parts, of_bytes, strict=True):
            user = self._centre.frames.of(share.stack)
            if not user:
                self._lost_ps += part_ps
                continue
            place = (user[0].path, user[0].line, share.phase)
            line = self._lines.setdefault(place, _Line(user[0]))
            line.add("self_ps", part_ps if op.has_estimate else None)
            line.add("bytes", part_bytes)
            met[place] = met.get(place, 0) + share.weight
        for place in met:
            self._lines[place].executions += executions
            self._lines[place].ops += 1
        if met and op.instruction is not None:
            main = max(met, key=lambda place: (met[place], place))
            self._main[id(op.instruction)] = main
            if len(met) > 1:
                self._divided.add(id(op.instruction))
            for leaf in leaves(op.instruction.shape):
                if leaf.layout is not None and leaf.layout.tiles:
                    padded = padded_byte_size(leaf)
                    self._lines[main].add("padded_bytes", padded)
                    self._lines[main].add("padding_bytes", max(0, padded - byte_size(leaf)))

    @property
    def _is_static(self) -> bool:
        return self._centre.static is not None

    def _size(self, line: _Line) -> tuple[int, int, int]:
        return -(line.self_ps or 0), -(line.bytes or 0), -line.ops

    def _key(self, place: Place) -> str:
        return line_node_key(self._centre, self._lines[place].frame, place[2])

    def _node(self, place: Place, key: str) -> GraphNode:
        line = self._lines[place]
        charged = self._scoped.charges.lines.get(place[:2])
        frame = charged.frame if charged is not None else line.frame
        fields = self._centre.frames.place_fields(frame)
        return GraphNode(
            key=key,
            name=f"{(fields['path'] or '').rpartition('/')[2]}:{frame.line}",
            kind="line",
            **fields,
            line_key=self._centre.line_key(frame),
            function=frame.function,
            phase=PHASE_NAMES[place[2]],
            **self._figures([line]),
        )

    def _together(self, places: Sequence[Place], key: str) -> GraphNode:
        return GraphNode(
            key=key, name="", kind="rest", left_out=len(places), **self._figures([self._lines[each] for each in places])
        )

    def _figures(self, lines: Sequence[_Line]) -> dict[str, Any]:
        def total(name: str) -> int | None:
            known = [each for each in (getattr(line, name) for line in lines) if each is not None]
            return sum(known) if known else None

        ran = not self._is_static
        padded, padding = total("padded_bytes"), total("padding_bytes")
        self_ps = total("self_ps") if ran else None
        return {
            "self_ps": self_ps,
            "share_ratio": self_ps / self._op_time_ps if self_ps is not None and self._op_time_ps else None,
            "executions": total("executions") if ran else None,
            "ops": sum(line.ops for line in lines),
            "bytes": total("bytes"),
            "padded_bytes": padded,
            "padding_bytes": padding,
            "padding_ratio": padding / padded if padded and padding is not None else None,
            "memory_at_peak_bytes": total("memory_at_peak_bytes"),
            "basis": self._basis if self_ps is not None else None,
        }

    def _edges(self, keys: Mapping[Place, str]) -> Sequence[GraphEdge]:
        found: dict[tuple[str, str], list[int]] = {}

        def add(source: str | None, target: str | None, moved: int, count: int) -> None:
            if source is not None and target is not None and source != target:
                sums = found.setdefault((source, target), [0, 0])
                sums[0] += moved
                sums[1] += count

        for program in self._programs:
            graph, instructions = program.flow, program.module.instructions
            of_row: dict[int, str] = {}
            for row in program.ops:
                place = self._main.get(id(instructions[row]))
                if place is not None:
                    of_row[row] = keys[place]
            columns = (graph.source.tolist(), graph.target.tolist(), graph.bytes.tolist(), graph.count.tolist())
            for source, target, moved, count in zip(*columns, strict=True):
                add(of_row.get(source), of_row.get(target), moved, count)
            place_of = partial(self._place_inside, program)
            for row in program.ops:
                fusion = instructions[row]
                if fusion.opcode == "fusion" and id(fusion) in self._divided:
                    for maker, reader, moved in handed_inside(program.module, fusion, place_of):
                        add(keys.get(maker), keys.get(reader), moved, 1)
        return [GraphEdge(source, target, sums[0], count=sums[1]) for (source, target), sums in found.items()]

    def _place_inside(self, program: GraphedProgram, each: Instruction) -> Place | None:
        """The line of an instruction inside a fusion, where it is one that is charged."""
        user = self._centre.frames.of(each.stack)
        if not user:
            return None
        place = (user[0].path, user[0].line, self._centre.shares.phase(program.module, each, program.rates))
        return place if place in self._lines else None
