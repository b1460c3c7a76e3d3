"""The graph of a program in the terminal: its nodes, a line each, and what each of them hands on to which."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from scopelight.analysis.graph.records import Breadcrumb, Graph, GraphEdge, GraphHit, GraphNode
from scopelight.report.foreign_text import printable
from scopelight.report.graph.names import node_name
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count, duration, level_bar, share
from scopelight.report.op_name import joined_name
from scopelight.report.op_sentences import NO_ESTIMATE
from scopelight.report.places import place
from scopelight.report.prediction.marks import timed
from scopelight.report.tables.text_table import WIDEST_NAME, Column, hlo_name, print_rows, print_view, say

_MOST_TARGETS = 3
"""Named of those that a node hands something to."""
_INDENT = "  "


def render_graph(record: Graph, console: Console, *, base: Path, limit: int) -> None:
    """Print what was searched for, and the first ``limit`` nodes."""
    if record.hits:
        _print_hits(record, console, base, limit)
    depths = _depths(record.nodes)
    names = {node.key: node_name(node)[0] for node in record.nodes}
    targets = _by_source(record.edges)
    center = record.center
    columns: list[Column[GraphNode]] = [
        Column("", lambda node: "→" if node.key == center else ""),
        Column("node", lambda node: _INDENT * depths[node.key] + node_name(node)[0], most=WIDEST_NAME),
        hlo_name(lambda node: node_name(node)[1]),
        Column("", lambda node: level_bar(node.share_ratio) if node.share_ratio is not None else ""),
        Column(
            "of op time",
            lambda node: timed(share(node.share_ratio)) if node.share_ratio is not None else "",
            right=True,
        ),
        Column("self", partial(_self_time, is_predicted=record.predicted_for is not None), right=True),
        Column("executions", lambda node: count(node.executions) if node.executions else "", right=True),
        Column("ops", lambda node: count(node.ops) if node.kind not in ("op", "hub") else "", right=True),
        Column("bytes", lambda node: byte_size(node.bytes) if node.bytes is not None else "", right=True),
        Column("padding", lambda node: share(node.padding_ratio) if node.padding_ratio else "", right=True),
        Column("at the peak", _at_peak, right=True),
        Column("shape", lambda node: printable(node.shape), most=28),
        Column("hands to", lambda node: _targets(targets.get(node.key, ()), names), most=WIDEST_NAME),
        Column("line", lambda node: place(node, base)),
        Column("key", lambda node: node.key if node.kind != "rest" else ""),
    ]
    shown = record.nodes[:limit]
    print_view(console, _heads(record), columns, shown, _footer(record, len(shown)), record.findings)


def _self_time(node: GraphNode, *, is_predicted: bool) -> str:
    if node.self_ps is not None:
        return duration(node.self_ps)
    return text(NO_ESTIMATE) if is_predicted and _is_without_estimate(node) else ""


def _is_without_estimate(node: GraphNode) -> bool:
    """Of a prediction: it is computed, and of nothing in it is known how long that takes."""
    return node.self_ps is None and bool(node.executions)


def _print_hits(record: Graph, console: Console, base: Path, limit: int) -> None:
    columns: list[Column[GraphHit]] = [
        Column("found", lambda hit: joined_name("", hit.name, "", hit.phase)[0], most=WIDEST_NAME),
        Column("opcode", lambda hit: printable(hit.opcode)),
        Column("shape", lambda hit: printable(hit.shape), most=28),
        Column("in", lambda hit: _way(hit.breadcrumbs), most=WIDEST_NAME),
        Column("line", lambda hit: place(hit, base)),
        Column("key", lambda hit: hit.key),
    ]
    shown = record.hits[:limit]
    print_rows(console, columns, shown)
    found = len(record.hits) + record.hits_left_out
    say(console, [f"{count(len(shown))} of {count(found)} found.", ""])


def _heads(record: Graph) -> Iterator[str]:
    if record.breadcrumbs and record.nodes:
        yield _way(record.breadcrumbs) + "."


def _footer(record: Graph, shown: int) -> Iterator[str]:
    if not record.nodes:
        return
    what = {"lines": "lines by phase", "scopes": "scopes and ops", "ops": "ops"}[record.level]
    yield f"{count(shown)} of {count(len(record.nodes) + record.left_out)} {what}."
    if record.left_out:
        together = ", put together as the rest" if any(node.kind == "rest" for node in record.nodes) else ""
        yield f"{count(record.left_out)} are left out{together}."
    if record.predicted_for is not None and (unknown := sum(map(_is_without_estimate, record.nodes))):
        yield f"{count(unknown)} {'has' if unknown == 1 else 'have'} no estimate."
    if record.unattributed_ps:
        yield f"{duration(record.unattributed_ps)} are of no line."


def _way(breadcrumbs: Sequence[Breadcrumb]) -> str:
    """``jit_step › while.3 ×24 › fusion.7``."""
    return " › ".join(
        printable(each.name) + (f" ×{count(each.trip_count)}" if each.trip_count is not None else "")
        for each in breadcrumbs
    )


def _at_peak(node: GraphNode) -> str:
    return byte_size(node.memory_at_peak_bytes) if node.memory_at_peak_bytes else ""


def _by_source(edges: Sequence[GraphEdge]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for edge in sorted(edges, key=lambda edge: -(edge.bytes or 0)):
        found.setdefault(edge.source, []).append(edge.target)
    return found


def _targets(keys: Sequence[str], names: Mapping[str, str]) -> str:
    named = [names.get(key, "") for key in keys[:_MOST_TARGETS]]
    more = len(keys) - len(named)
    return ", ".join(named) + (f" +{count(more)}" if more > 0 else "")


def _depths(nodes: Sequence[GraphNode]) -> Mapping[str, int]:
    """How deep each node lies in opened ones."""
    depths: dict[str, int] = {}
    for node in nodes:
        depths[node.key] = depths.get(node.parent, 0) + 1 if node.parent is not None else 0
    return depths
