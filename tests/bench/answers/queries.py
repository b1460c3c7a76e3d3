"""How long queries in SQL over a large run take, and how much memory beside its columns, in a process that has it open.

Run as a script with the path of a profile it prints what `measure` reads.
"""

import gc
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import attrs
import numpy as np

QUERIES = {
    "group by op, top 10": """
        select name, count(*) as executions, sum(e.self_ps) as self_ps
        from executions e join ops using (run, op_id) group by name order by self_ps desc limit 10""",
    "group by category and step": """
        select category, step, sum(e.self_ps) as self_ps from executions e join ops using (run, op_id) group by all""",
    "median and 99 % by op": """
        select op_id, median(self_ps), quantile_cont(self_ps, 0.99) from executions group by op_id""",
    "a window of time": """
        select count(*), sum(self_ps) from executions where start_ps between 1000000000 and 100000000000""",
}
LEAST_EXECUTIONS = 10_000_000
GROUPED = next(iter(QUERIES))


@attrs.frozen(slots=True)
class QueryFigures:
    """Seconds of each query once its tables were made, which took ``first_seconds``; of memory what a query takes
    beside what the open run has, its own process counted with what it does not share."""

    executions: int
    seconds: dict[str, float]
    first_seconds: float
    columns_bytes: int
    memory_bytes: dict[str, int]


def measure(path: Path, python: Path) -> QueryFigures:
    """Those of a profile that is there."""
    output = subprocess.run([python, __file__, path], check=True, capture_output=True, text=True).stdout
    return QueryFigures(**json.loads(output))


def _own_bytes(process: str) -> int:
    """What a process has that it shares with no other, and its part of what it shares."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


class _Watch:
    """The most memory that this process and those that it made have together."""

    def __init__(self) -> None:
        self.most_bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "_Watch":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.01):
            try:
                children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            except OSError:
                continue
            self.most_bytes = max(self.most_bytes, sum(map(_own_bytes, ["self", *children])))


def _large(profile: Any) -> Any:
    """The profile with its executions again and again, one window after the other, until they are ten million."""
    table = profile.executions
    times = -(-LEAST_EXECUTIONS // len(table))
    assert len(set(table.device.tolist()[:: len(table) // 1000 + 1])) == 1
    columns = {
        name: np.tile(getattr(table, name), times)
        for name in ("op", "device", "run", "lane", "start_ps", "duration_ps", "self_ps")
    }
    columns["start_ps"] += np.repeat(np.arange(times) * profile.duration_ps, len(table))
    return attrs.evolve(profile, executions=attrs.evolve(table, **columns))


def main() -> None:
    """Print the figures of a profile."""
    from scopelight.analysis.subject import Subject  # noqa: PLC0415 (this module is also read by who has none of it)
    from scopelight.formats.heap import give_back_freed_memory  # noqa: PLC0415
    from scopelight.sql.limits import Limits  # noqa: PLC0415
    from scopelight.sql.query import ask  # noqa: PLC0415
    from scopelight.sql.tables import TABLES  # noqa: PLC0415
    from scopelight.views.opening import open_subject  # noqa: PLC0415

    opened = open_subject(Path(sys.argv[1]), Path.cwd())
    subject = Subject.of(_large(opened.profile), opened.line_options)
    started = time.perf_counter()
    ask([subject], QUERIES[GROUPED], Limits(rows=1000))
    first_seconds = time.perf_counter() - started
    columns = TABLES["executions"].make(subject)
    gc.collect()
    give_back_freed_memory()
    before_bytes = _own_bytes("self")
    seconds, memory = {}, {}
    for name, query in QUERIES.items():
        times = []
        with _Watch() as watch:
            for _ in range(5):
                started = time.perf_counter()
                ask([subject], query, Limits(rows=1000))
                times.append(time.perf_counter() - started)
        seconds[name] = statistics.median(times)
        memory[name] = watch.most_bytes - before_bytes
    columns_bytes = sum(each.nbytes for each in columns.values())
    figures = QueryFigures(len(subject.profile.executions), seconds, first_seconds, columns_bytes, memory)
    print(json.dumps(attrs.asdict(figures)))


if __name__ == "__main__":
    main()
