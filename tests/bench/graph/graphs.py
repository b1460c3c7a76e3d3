"""How long the levels of a large program's graph take: in one process, once the program was opened."""

import json
import os
import statistics
import subprocess
from pathlib import Path

import attrs

HERE = Path(__file__).parent
LEAST_INSTRUCTIONS = 25_000


@attrs.frozen(slots=True)
class GraphFigures:
    """Seconds of the processor, on one of which all of it runs.

    They are of the lines and the scopes, the first time that they are asked for, and of neighbourhoods of two edges;
    ``first_inside_seconds`` is the first one of an op inside a fusion.
    ``nodes`` are those of the lines, ``layers`` the greatest number that was folded into one node.
    """

    instructions: int
    lines_seconds: float
    scopes_seconds: float
    nodes: int
    layers: int
    first_inside_seconds: float
    neighbourhood_seconds: float
    slowest_neighbourhood_seconds: float


def measure(python: Path, cache: Path, repetitions: int) -> GraphFigures:
    """The medians of some processes."""
    path = cache / "layers-56.hlo.pb"
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    if not path.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run([python, HERE / "make_layers.py", path], check=True, env=environment)
    runs = [
        json.loads(subprocess.run([python, __file__, path], check=True, capture_output=True, text=True).stdout)
        for _ in range(repetitions)
    ]
    return GraphFigures(**{name: statistics.median(run[name] for run in runs) for name in runs[0]})


def main(path: Path) -> None:
    """Print the figures of one process as JSON."""
    import random  # noqa: PLC0415 (of the measured process alone)
    import time  # noqa: PLC0415

    from scopelight import garbage  # noqa: PLC0415
    from scopelight.analysis.graph.options import GraphOptions  # noqa: PLC0415
    from scopelight.analysis.graph.view import graph  # noqa: PLC0415
    from scopelight.program.graph.glue import GLUE  # noqa: PLC0415
    from scopelight.views.opening import open_subject  # noqa: PLC0415

    garbage.look_for_it_seldom()
    subject = open_subject(path, HERE)
    (module,) = subject.profile.modules

    def seconds(**options):
        start = time.process_time()
        record = graph(subject, GraphOptions(**options))
        return time.process_time() - start, record

    lines_seconds, lines = seconds()
    scopes_seconds, scopes = seconds(level="scopes")
    _, opened = seconds(level="scopes", open=tuple(node.key for node in scopes.nodes))
    inside = next(each for each in module.instructions if each.opcode not in GLUE and each.computation != module.entry)
    first_inside_seconds, _ = seconds(op=inside.name, radius=2)
    names = [each.name for each in module.instructions if each.opcode not in GLUE]
    chosen = random.Random(1).sample(names, 400)
    of_each = [seconds(op=name, radius=2)[0] for name in chosen]
    figures = GraphFigures(
        instructions=len(module.instructions),
        lines_seconds=lines_seconds,
        scopes_seconds=scopes_seconds,
        nodes=len(lines.nodes),
        layers=max(node.repeated for node in opened.nodes if node.kind == "scope"),
        first_inside_seconds=first_inside_seconds,
        neighbourhood_seconds=statistics.median(of_each),
        slowest_neighbourhood_seconds=max(of_each),
    )
    print(json.dumps(attrs.asdict(figures)))


if __name__ == "__main__":
    import sys

    main(Path(sys.argv[1]))
