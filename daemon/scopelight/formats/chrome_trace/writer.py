"""Chrome's trace event format (JSON), which Perfetto reads as well: written piece by piece.

Times are microseconds with six digits behind the point, so that no picosecond is lost. What has a text is given as
JSON already (`quoted`), because names recur by the million.
"""

import functools
import json
import math
from collections.abc import Iterable, Sequence
from typing import Final, TextIO

EXACT: Final = 1 << 53
"""JavaScript's numbers are exact up to here; larger ones are written as texts."""
_SHORT: Final = 200
"""Characters."""
_PS_PER_US: Final = 1_000_000


def quoted(text: str) -> str:
    """A text as JSON."""
    # Short ones recur: names of programs and of ops.
    return _quoted_short(text) if len(text) <= _SHORT else json.dumps(text, ensure_ascii=False)


@functools.lru_cache(maxsize=1 << 14)
def _quoted_short(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def number(value: int | float) -> str:
    """A number as JSON; as a text where JSON or JavaScript has no such number."""
    if isinstance(value, int):
        return str(value) if -EXACT <= value <= EXACT else f'"{value}"'
    return repr(value) if math.isfinite(value) else f'"{value}"'


def microseconds(time_ps: int) -> str:
    """A time in microseconds, exactly."""
    whole, rest = divmod(time_ps, _PS_PER_US)
    if time_ps < 0:
        whole, rest = divmod(-time_ps, _PS_PER_US)
        return f"-{whole}.{rest:06d}"
    return f"{whole}.{rest:06d}" if rest else str(whole)


class ChromeTraceWriter:
    """Writes events to a text file. The caller numbers processes and threads; `finish` ends the file."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        self._separator = ""

    def process(self, pid: int, name: str) -> None:
        """Name a process and put it behind those of smaller numbers."""
        self._metadata("process_name", pid, 0, f'"name":{quoted(name)}')
        self._metadata("process_sort_index", pid, 0, f'"sort_index":{pid}')

    def thread(self, pid: int, tid: int, name: str) -> None:
        """Name a thread and put it behind those of smaller numbers."""
        self._metadata("thread_name", pid, tid, f'"name":{quoted(name)}')
        self._metadata("thread_sort_index", pid, tid, f'"sort_index":{tid}')

    def slices(
        self,
        pid: int,
        tids: Sequence[int],
        names: Sequence[str],
        starts_ps: Sequence[int],
        durations_ps: Sequence[int],
        arguments: Sequence[str],
    ) -> None:
        """Write slices of a process. Names are quoted, arguments the members of a JSON object without its braces."""
        self._write(
            f'{{"ph":"X","pid":{pid},"tid":{tid},"ts":{microseconds(start)},"dur":{microseconds(duration)},'
            f'"name":{name},"args":{{{members}}}}}'
            for tid, name, start, duration, members in zip(tids, names, starts_ps, durations_ps, arguments, strict=True)
        )

    def counter(self, pid: int, name: str, starts_ps: Sequence[int], values: Sequence[float]) -> None:
        """Write what a counter of a process was from each time on."""
        self._write(
            f'{{"ph":"C","pid":{pid},"ts":{microseconds(start)},"name":{quoted(name)},"args":{{"value":{number(value)}}}}}'
            for start, value in zip(starts_ps, values, strict=True)
        )

    def flow(self, identity: int, begin: Sequence[int], end: Sequence[int]) -> None:
        """Write an arrow between two slices, each given by its process, its thread and its start in picoseconds."""
        self._write(
            f'{{"ph":"{phase}","pid":{pid},"tid":{tid},"ts":{microseconds(at)},"id":{identity},"cat":"flow",'
            f'"name":"flow","bp":"e"}}'
            for phase, (pid, tid, at) in (("s", begin), ("f", end))
        )

    def finish(self, notes: Sequence[tuple[str, str]] = ()) -> None:
        """End the file with notes on it: names and texts."""
        members = ",".join(f"{quoted(name)}:{quoted(text)}" for name, text in notes)
        self._file.write(f'\n],"otherData":{{{members}}}}}\n')

    def _metadata(self, kind: str, pid: int, tid: int, members: str) -> None:
        self._write((f'{{"ph":"M","pid":{pid},"tid":{tid},"name":"{kind}","args":{{{members}}}}}',))

    def _write(self, events: Iterable[str]) -> None:
        text = ",\n".join(events)
        if text:
            self._file.write(self._separator + text)
            self._separator = ",\n"
