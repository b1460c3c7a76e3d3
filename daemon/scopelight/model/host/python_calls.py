"""Where a thread stood by the Python tracer of jax's profiler, where that was on: in which functions.

That tells the first line of a function and not the one that ran.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.host_recording.reader import RETURN, START, LineRows
from scopelight.model.host.line_stands import walk
from scopelight.model.host.stands import Stands
from scopelight.program.hlo.frames import Frame, Stack

_CALL: Final = re.compile(r"\$([^:/\\]+\.py):(\d+) (.+)", re.DOTALL)
"""File without its folder, first line of the function, its name (`xla/python/profiler/internal/python_hooks.cc`)."""


class PythonCalls(NamedTuple):
    """The calls on one thread, in any order: ``name`` is a row of ``names``."""

    name: Int32
    start_ps: Int64
    end_ps: Int64
    names: Sequence[str]

    def moved(self, origin_ps: int) -> "PythonCalls":
        """The same, counted from ``origin_ps``."""
        return self._replace(start_ps=self.start_ps - origin_ps, end_ps=self.end_ps - origin_ps)


def joined_calls(parts: Sequence[PythonCalls]) -> PythonCalls:
    """The calls on one thread in several traces, each of which has names of its own."""
    moved: list[Int32] = []
    names: list[str] = []
    for part in parts:
        moved.append(np.add(part.name, len(names), dtype=np.int32))
        names += part.names
    return PythonCalls(
        np.concatenate(moved),
        np.concatenate([part.start_ps for part in parts]),
        np.concatenate([part.end_ps for part in parts]),
        names,
    )


def call_stands(calls: PythonCalls, paths: Mapping[str, str]) -> Stands | None:
    """Where the thread stood, of the files whose whole ``paths`` are known by their names; None where it is of none."""
    frames: dict[int, Frame] = {}
    for row in set(calls.name.tolist()):
        found = _CALL.match(calls.names[row])
        path = paths.get(found[1]) if found is not None else None
        if found is not None and path is not None:
            frames[row] = Frame(path, int(found[2]), found[3])
    kept = np.flatnonzero(np.isin(calls.name, list(frames)) & (calls.end_ps > calls.start_ps))
    if not len(kept):
        return None
    start_ps, end_ps, name = calls.start_ps[kept], calls.end_ps[kept], calls.name[kept].astype(np.int64)
    moment_ps = np.concatenate([start_ps, end_ps])
    kind = np.repeat(np.array([START, RETURN], dtype=np.int64), len(kept))
    # At one moment what ends comes first; of what begins then the longest, which holds the others.
    order = np.lexsort((np.concatenate([-end_ps, -start_ps]), kind == START, moment_ps))
    code = np.concatenate([name, name])[order]
    rows = LineRows(moment_ps[order], np.zeros_like(code), code, np.zeros_like(code), kind[order])
    at, nodes = walk(rows, np.zeros(len(order), dtype=np.int64), 1)
    stacks: list[Stack] = []
    for caller, of, _ in nodes:
        stacks.append((frames[of], *(stacks[caller] if caller >= 0 else ())))
    return Stands(moment_ps[order], at, stacks, is_exact=False)
