"""The benchmark: reading beside xprof on one file, the overhead of capture, and the editor. `make bench` runs it.

Prints each figure with the bar that it must meet; exits with 1 when one is missed.
"""

import argparse
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from accuracy.figures import add_fusions, add_steps
from answers.figures import add_agents, add_hosts, add_overview, add_queries
from bars import Bars
from bench import Bench
from capture.figures import add_host, add_overhead, add_resources
from editor.figures import add_editor
from first_hour.figures import add_first_hour
from graph.figures import add_graphs
from memory.figures import add_memory
from reading.figures import add_commands, add_large, add_readings
from rich.console import Console
from timeline.figures import add_timeline

PARTS: Mapping[str, Callable[[Bench], None]] = {
    "commands": add_commands,
    "reading": add_readings,
    "large": add_large,
    "memory": add_memory,
    "fusions": add_fusions,
    "steps": add_steps,
    "overhead": add_overhead,
    "host": add_host,
    "hosts": add_hosts,
    "resources": add_resources,
    "editor": add_editor,
    "overview": add_overview,
    "graphs": add_graphs,
    "agents": add_agents,
    "queries": add_queries,
    "first-hour": add_first_hour,
    "timeline": add_timeline,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xprof", type=Path, required=True, help="the interpreter that has xprof")
    parser.add_argument(
        "--repetitions", type=int, default=9, help="of each reading; of each overhead 9, of that of short steps 5"
    )
    parser.add_argument("--part", choices=("all", *PARTS), default="all")
    options = parser.parse_args()
    bars = Bars()
    bench = Bench(bars, Path(sys.executable), options.xprof.absolute(), options.repetitions)
    for name, measure in PARTS.items():
        if options.part not in ("all", name):
            continue
        try:
            measure(bench)
        except Exception:
            # What the other parts measured is not lost.
            traceback.print_exc()
            bars.missed.append(f"{name}, which failed")
    Console(width=110).print(bars.table)
    if bars.missed:
        print(f"Missed: {', '.join(bars.missed)}.")
    return bool(bars.missed)


if __name__ == "__main__":
    raise SystemExit(main())
