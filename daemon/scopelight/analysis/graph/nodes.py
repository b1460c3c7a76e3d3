"""Nodes of ops, and of several ops together."""

from collections.abc import Iterable, Sequence
from typing import Any

from scopelight.analysis.graph.figures import Figures, OpFigures
from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.records import GraphNode, GraphOverlay
from scopelight.analysis.ops.scopes import scope_of
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.totals.names import primitive_of, shape_text
from scopelight.program.phases.phase import Phase


class Nodes:
    """Makes the nodes of one program."""

    def __init__(self, program: GraphedProgram, figures: Figures) -> None:
        self._program = program
        self._figures = figures

    def op(self, row: int, **more: Any) -> GraphNode:  # noqa: ANN401 (fields of a node)
        """The node of one op; ``more`` are fields of it."""
        program, graph = self._program, self._program.graph
        each = program.instruction(row)
        charged = self._figures.charged(row)
        phase = charged.phase if charged is not None else program.phase_of(row)
        frame = charged.parts[0].frame if charged is not None and charged.parts else program.line_of(row)
        inside = program.inside(row)
        is_hub = bool(graph.is_hub[row])
        fields: dict[str, Any] = {
            "key": program.key_of(row),
            "name": each.name,
            "kind": "hub" if is_hub else "op",
            **program.centre.frames.place_fields(frame),
            "line_key": program.centre.line_key(frame) if frame is not None else None,
            "function": frame.function if frame is not None else "",
            "phase": PHASE_NAMES[phase],
            "opcode": each.opcode,
            "primitive": primitive_of(program.module, each),
            "shape": shape_text(each.shape),
            "scope": "/".join(scope_of(each.op_name, computes_again=phase is not Phase.FORWARD)),
            "ops": max(1, len(inside)),
            "trip_count": each.trip_count,
            "can_open": bool(inside) or is_hub,
            "is_hub": is_hub,
            "producers": len(graph.producers(row)),
            "consumers": len(graph.consumers(row)),
            **self._fields(self._figures.of(row)),
        }
        return GraphNode(**(fields | more))

    def group(self, rows: Sequence[int], **fields: Any) -> GraphNode:  # noqa: ANN401 (fields of a node)
        """The node of several ops: their sums, and the phase that all of them have."""
        phases = set(map(self._program.phase_of, rows))
        return GraphNode(
            **{
                "phase": PHASE_NAMES[phases.pop()] if len(phases) == 1 else None,
                "ops": len(rows),
                **self._fields(self._figures.of_all(rows)),
                **fields,
            }
        )

    def _fields(self, figures: OpFigures) -> dict[str, Any]:
        whole = self._figures.op_time_ps
        return {
            **{name: getattr(figures, name) for name in ("self_ps", "executions", "bytes")},
            **{name: getattr(figures, name) for name in ("padded_bytes", "padding_bytes", "padding_ratio")},
            "memory_at_peak_bytes": figures.memory_at_peak_bytes,
            "share_ratio": figures.self_ps / whole if whole and figures.self_ps is not None else None,
            "basis": self._figures.basis if figures.self_ps is not None else None,
        }


def overlays_of(nodes: Iterable[GraphNode]) -> tuple[GraphOverlay, ...]:
    """What any of the nodes has figures of."""
    found: dict[GraphOverlay, bool] = dict.fromkeys(("time", "bytes", "padding", "memory", "compatibility"), False)
    for each in nodes:
        found["time"] |= each.self_ps is not None
        found["bytes"] |= each.bytes is not None
        found["padding"] |= each.padded_bytes is not None
        found["memory"] |= each.memory_at_peak_bytes is not None
        found["compatibility"] |= each.compatibility is not None
    return tuple(name for name, is_there in found.items() if is_there)
