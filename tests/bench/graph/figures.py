"""How soon the graph of a large program is there and drawn, and how soon it must be."""

from bench import CACHE, Bench
from browser import editor_figures
from graph import graphs


def add_graphs(bench: Bench) -> None:
    """The levels of a large program's graph, and its panel."""
    figures = graphs.measure(bench.python, CACHE, bench.repetitions)
    bench.bars.add("graph: instructions, at least", "", "", figures.instructions, least=graphs.LEAST_INSTRUCTIONS)
    bench.bars.add_milliseconds("graph: lines by phase", figures.lines_seconds * 1e3, most=1000)
    bench.bars.add("graph: nodes of the lines", "", "", figures.nodes, most=60)
    bench.bars.add_milliseconds("graph: scopes", figures.scopes_seconds * 1e3, most=500)
    bench.bars.add("graph: layers folded into one node", "", "", figures.layers, least=56)
    first_ms = figures.first_inside_seconds * 1e3
    bench.bars.add_milliseconds("graph: the first neighbourhood inside a fusion", first_ms, most=50)
    median = f"median {figures.neighbourhood_seconds * 1e3:.1f} ms"
    slowest_ms = figures.slowest_neighbourhood_seconds * 1e3
    bench.bars.add_milliseconds(f"graph: neighbourhood of two edges, slowest of 400 ({median})", slowest_ms, most=50)
    drawn = editor_figures("bench:graph-panel")
    median = f"median {drawn['neighbourhood_ms']:.0f} ms"
    slowest_ms = drawn["slowest_neighbourhood_ms"]
    bench.bars.add_milliseconds(f"graph: neighbourhood drawn, slowest of 24 ({median})", slowest_ms, most=200)
