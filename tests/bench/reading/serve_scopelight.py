"""A warm Scopelight for the benchmark: reads ``TASK PATH`` lines, answers each with the seconds that it took.

Tasks: ``lines`` (file to hot lines) and ``decode`` (the columns of every line and its integer stats).
"""

import gc
import sys
import time
from pathlib import Path

from scopelight import garbage
from scopelight.analysis.lines.hot_lines import LineOptions, hot_lines
from scopelight.formats.heap import keep_freed_memory
from scopelight.formats.xspace.reader import read_xspace
from scopelight.model.opening.profile import open_profile

INTEGER_STATS = ("run_id", "program_id", "device_ordinal", "_p", "_c", "_pt", "_ct")


def lines(path):
    hot_lines(open_profile(path), LineOptions(roots=(str(Path.cwd()),)))


def decode(path):
    for plane in read_xspace(path).planes:
        for line in plane.lines:
            line.events().integer_stats(INTEGER_STATS)


def main():
    # As the language server.
    keep_freed_memory()
    garbage.look_for_it_seldom()
    tasks = {"lines": lines, "decode": decode}
    for request in sys.stdin:
        task, path = request.rstrip("\n").split(" ", 1)
        gc.collect()
        start = time.perf_counter()
        tasks[task](Path(path))
        print(time.perf_counter() - start, flush=True)


main()
