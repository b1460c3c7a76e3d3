"""A warm xprof for the benchmark: reads ``TASK PATH`` lines, answers each with the seconds that it took.

The only task is ``overview_page``. Given a path as an argument it runs once instead: the whole command.
"""

import gc
import sys
import time

from xprof.convert import raw_to_tool_data


def overview_page(path):
    data, _ = raw_to_tool_data.xspace_to_tool_data([path], "overview_page", {})
    if not data:
        raise SystemExit(f"xprof made no overview page of {path}")


def main():
    if len(sys.argv) > 1:
        overview_page(sys.argv[1])
        return
    for request in sys.stdin:
        _, path = request.rstrip("\n").split(" ", 1)
        gc.collect()
        start = time.perf_counter()
        overview_page(path)
        print(time.perf_counter() - start, flush=True)


main()
