"""The graph of a program as Graphviz text: opened groups are clusters, edges are as thick as they are wide."""

import math
from collections.abc import Iterator, Mapping, Sequence

from scopelight.analysis.graph.records import Graph, GraphEdge, GraphNode
from scopelight.report.foreign_text import printable
from scopelight.report.graph.names import node_name
from scopelight.report.numbers import byte_size, duration, share
from scopelight.report.prediction.marks import marked, timed

_INDENT = "  "
_SHAPES = {"line": "box", "scope": "folder", "hub": "doubleoctagon", "rest": "plaintext", "outside": "parallelogram"}
_WIDEST = 5.0


@marked
def as_dot(record: Graph) -> str:
    """A directed graph in the language of Graphviz, the same text for the same record."""
    numbers = {node.key: f"n{number}" for number, node in enumerate(record.nodes)}
    inside: dict[str | None, list[GraphNode]] = {}
    for node in record.nodes:
        inside.setdefault(node.parent if node.parent in numbers else None, []).append(node)
    lines = [
        "digraph program {",
        f"{_INDENT}rankdir=TB;",
        f'{_INDENT}node [shape=box, fontname="sans-serif"];',
        *_nodes(inside, None, numbers, record.center, 1),
        *(_edge(edge, numbers) for edge in record.edges if edge.source in numbers and edge.target in numbers),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _nodes(
    inside: Mapping[str | None, Sequence[GraphNode]],
    parent: str | None,
    numbers: Mapping[str, str],
    center: str | None,
    depth: int,
) -> Iterator[str]:
    indent = _INDENT * depth
    for node in inside.get(parent, ()):
        if node.is_open and inside.get(node.key):
            yield f"{indent}subgraph cluster_{numbers[node.key]} {{"
            yield f"{indent}{_INDENT}label={_quoted(_label(node))};"
            yield from _nodes(inside, node.key, numbers, center, depth + 1)
            yield f"{indent}}}"
        else:
            more = ", penwidth=2" if node.key == center else ""
            shape = _SHAPES.get(node.kind, "box")
            yield f"{indent}{numbers[node.key]} [label={_quoted(_label(node))}, shape={shape}{more}];"


def _label(node: GraphNode) -> str:
    name, hlo = node_name(node)
    time = f"{duration(node.self_ps)} ({timed(share(node.share_ratio or 0.0))})" if node.self_ps is not None else ""
    return "\n".join(filter(None, (name, hlo, printable(node.shape), time)))


def _edge(edge: GraphEdge, numbers: Mapping[str, str]) -> str:
    fields = []
    if edge.bytes is not None:
        width = min(_WIDEST, 1 + math.log10(1 + edge.bytes) / 3)
        fields = [f"label={_quoted(byte_size(edge.bytes))}", f"penwidth={width:.2f}"]
    if edge.kind == "inside":
        fields.append("style=dashed")
    how = f" [{', '.join(fields)}]" if fields else ""
    return f"{_INDENT}{numbers[edge.source]} -> {numbers[edge.target]}{how};"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
