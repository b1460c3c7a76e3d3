"""What scripts of tests import to watch themselves, on a Python that tells of lines: the shim alone, nothing of ours.

PYTHONPATH=daemon/agent/scopelight_agent:tests/python/made/scripts python script.py
"""

import json
import sys
import threading

from shim.host.codes import Codes
from shim.host.line_monitor import COLUMNS, KINDS, LineMonitor

codes = Codes()
monitor = LineMonitor(codes, set())


def told(rows):
    """Rows of the script's own code as (kind, line, function, thread)."""
    found = []
    for place in range(0, len(rows), COLUMNS):
        _, thread, key, what = rows[place : place + COLUMNS]
        code = codes.by_id[key]
        if code.co_filename == sys.argv[0]:
            found.append((what % KINDS, what // KINDS, code.co_name, thread))
    return found


def elsewhere(function):
    """What a function gives in a thread of its own, as the one that captures the script."""
    given = []
    thread = threading.Thread(target=lambda: given.append(function()))
    thread.start()
    thread.join()
    return given[0]


def answer(**values):
    """Say what the test asks for."""
    print(json.dumps(values))


def local_events(*functions):
    """What is still watched of functions with the ids that the monitor uses."""
    found = 0
    for tool in (3, 4):
        if sys.monitoring.get_tool(tool) is None:
            sys.monitoring.use_tool_id(tool, "test")
            found |= sys.monitoring.get_events(tool)
            for function in functions:
                found |= sys.monitoring.get_local_events(tool, function.__code__)
            sys.monitoring.free_tool_id(tool)
    return found
