"""The rows of the flame graph, made of the tree of frames."""

from collections.abc import Iterable, Iterator
from typing import Final

from scopelight.analysis.flame.records import FlameKind, FlameOp, FlamePhase, FlameRow
from scopelight.analysis.flame.tree import Node
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.totals.attribution import greatest_phase
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.keys import digest
from scopelight.analysis.totals.names import op_names
from scopelight.program.hlo.frames import Frame

LIBRARY: Final = Frame("", 0, "library")
WITHOUT_SOURCE: Final = Frame("", 0, "without source")
"""Frames of no file, for code that only libraries lead to and for what has no stack."""
MOST_OPS: Final = 3
"""That a row names."""


def flame_rows(centre: Centre, nodes: Iterable[Node]) -> Iterator[FlameRow]:
    """The rows of ``nodes``, of which each comes after its parent."""
    keys: dict[Node, str] = {}
    for node in nodes:
        frame, inclusive = node.frame, node.inclusive
        parent = None if node.parent is None else keys[node.parent]
        kind: FlameKind = "library" if frame is LIBRARY else "without-source" if frame is WITHOUT_SOURCE else "frame"
        line_key = centre.line_key(frame) if kind == "frame" else None
        # A lambda and the function around it share a line.
        key = keys[node] = digest(parent, kind, line_key, frame.function)
        file = centre.frames.file(frame.path)
        phases = zip(PHASE_NAMES, inclusive.phases, strict=True)
        yield FlameRow(
            key=key,
            parent=parent,
            kind=kind,
            line_key=line_key,
            function=frame.function if kind == "frame" else "",
            path=file.path,
            file=file.file,
            line=frame.line or None,
            is_library=kind == "library" or file.is_library,
            start_ps=inclusive.start_ps,
            self_ps=node.own.self_ps,
            inclusive_ps=inclusive.self_ps,
            self_value=node.own.value,
            inclusive_value=inclusive.value,
            phases=tuple(FlamePhase(phase, value) for phase, value in phases if value),
            ops=tuple(_ops(centre, node)),
        )


def _ops(centre: Centre, node: Node) -> Iterator[FlameOp]:
    executions = centre.executions
    largest = sorted(node.own.ops, key=lambda op: (-node.own.ops[op], op))
    for op in largest[:MOST_OPS]:
        names = op_names(executions.ops[op], executions.programs)
        phase = PHASE_NAMES[greatest_phase(centre.parts[op])]
        yield FlameOp(centre.op_keys[op], names.name, names.primitive, phase, node.own.ops[op])
