"""The server for agents: how soon it answers after its start, and how long each tool takes on a large run."""

import json
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import attrs

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
CALLS = {
    "list_runs": {},
    "summary": {},
    "hot_lines": {},
    "line_detail": {"line": "decoder.py:49"},
    "op_detail": {"op": "dot_general"},
    "advice": {},
    "memory_at_peak": {},
    "sql": {"query": "select op_id, sum(self_ps) from executions group by op_id order by 2 desc limit 10"},
}


@attrs.frozen(slots=True)
class AgentFigures:
    """Seconds from the start of the process to the answers to ``initialize`` and ``tools/list``, of the first call,
    which opens the run, and of each tool after that; the most characters of an answer."""

    hello_seconds: float
    tools_seconds: float
    opening_seconds: float
    seconds: dict[str, float]
    most_characters: int


class _Server:
    def __init__(self, python: Path, root: Path) -> None:
        command = [python, "-m", "scopelight.cli.main", "mcp", "--root", root]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())["result"]

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[float, str]:
        started = time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        seconds = time.perf_counter() - started
        text = result["content"][0]["text"]
        assert not result["isError"], text
        return seconds, text

    def end(self) -> None:
        self._process.communicate()


def measure(path: Path, python: Path, repetitions: int) -> AgentFigures:
    """``path`` is a profile alone in its folder."""
    starts, lists = [], []
    for _ in range(repetitions):
        started = time.perf_counter()
        server = _Server(python, path.parent)
        server.ask("initialize", HELLO)
        starts.append(time.perf_counter() - started)
        server.ask("tools/list", {})
        lists.append(time.perf_counter() - started)
        server.end()
    server = _Server(python, path.parent)
    server.ask("initialize", HELLO)
    server.ask("tools/list", {})
    opening, text = server.call("summary", {"run": path.name})
    seconds, most = {}, len(text)
    for tool, arguments in CALLS.items():
        given = arguments if tool == "list_runs" else {**arguments, "run": path.name}
        seconds[tool], text = server.call(tool, given)
        most = max(most, len(text))
    server.end()
    return AgentFigures(statistics.median(starts), statistics.median(lists), opening, seconds, most)
