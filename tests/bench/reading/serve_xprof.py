"""A warm xprof for the benchmark: reads ``TASK PATH`` lines, answers each with the seconds that it took.

The tasks are ``overview_page`` and ``trace_viewer@``, its first picture of a whole run. Given a path as an argument,
and a task where it is not ``overview_page``, it does that once instead: the whole command.
"""

import gc
import sys
import time

from xprof.convert import raw_to_tool_data


def overview_page(path):
    data, _ = raw_to_tool_data.xspace_to_tool_data([path], "overview_page", {})
    if not data:
        raise SystemExit(f"xprof made no overview page of {path}")


def trace_viewer(path):
    # What its page asks first: everything, on 8,000 columns.
    options = {"resolution": "8000", "trace_viewer_options": {"resolution": "8000"}}
    data, _ = raw_to_tool_data.xspace_to_tool_data([path], "trace_viewer@", options)
    if not data:
        raise SystemExit(f"xprof made no trace of {path}")


def memory_profile(path):
    raw_to_tool_data.xspace_to_tool_data([path], "memory_profile", {})


TASKS = {"overview_page": overview_page, "trace_viewer@": trace_viewer, "memory_profile": memory_profile}


def main():
    if len(sys.argv) > 1:
        TASKS[sys.argv[2] if len(sys.argv) > 2 else "overview_page"](sys.argv[1])
        return
    for request in sys.stdin:
        task, path = request.rstrip("\n").split(" ", 1)
        gc.collect()
        start = time.perf_counter()
        TASKS[task](path)
        print(time.perf_counter() - start, flush=True)


main()
