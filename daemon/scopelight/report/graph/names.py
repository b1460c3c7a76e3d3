"""What the nodes of a graph are called in text."""

from scopelight.analysis.graph.records import GraphNode
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import count
from scopelight.report.op_name import joined_name, place_name


def node_name(node: GraphNode) -> tuple[str, str]:
    """What a node is, how many it stands for and how often it runs; and its name in HLO where that is another."""
    name, hlo = _name(node)
    marks = [
        f"×{count(node.repeated)}" if node.repeated > 1 else "",
        f"{count(node.trip_count)} times" if node.trip_count is not None else "",
        "hub" if node.is_hub else "",
    ]
    return " ".join(filter(None, (name, *marks))), hlo


def _name(node: GraphNode) -> tuple[str, str]:
    if node.kind == "rest":
        return f"and {count(node.left_out)} more", ""
    if node.kind == "line":
        return joined_name("", place_name(node.path, node.line), printable(node.function), node.phase)
    if node.kind == "scope":
        return joined_name("", node.name, "", node.phase if "[" not in node.name else None)
    return joined_name(node.primitive or node.opcode, node.name, place_name(node.path, node.line), node.phase)
