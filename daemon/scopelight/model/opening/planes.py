"""Reading planes: each by the reader of its backend, line by line, one file after the other."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import attrs
import numpy as np

from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import XLine, XPlane
from scopelight.model.backends.cpu import CpuReader
from scopelight.model.backends.gpu import GpuReader
from scopelight.model.backends.tables import Tables
from scopelight.model.backends.tpu import TpuReader
from scopelight.model.host_events import HostPiece, HostReader
from scopelight.model.profile import Spans, StepMarks

MOST_THREADS = 4
"""Lines decoded at once: each takes memory while it is decoded."""
STEPS_LINES = frozenset({"Steps", "Sparse Core Steps"})

_TPU_CORE = re.compile(r"/device:TPU:\d+( SparseCore \d+)?$")
_GPU = re.compile(r"/device:GPU:\d+$")


class _PlaneReader(Protocol):
    """Reads the lines of one plane, each decoded once and dropped after."""

    def read_line(self, line: XLine, events: Events) -> Any:  # noqa: ANN401 (each backend's own piece)
        """What the backend needs of a line. Called from several threads at once: it must change nothing shared."""

    def finish(self, pieces: list[Any]) -> None:
        """Add what the pieces hold, which come in the order of the lines. May take them from the list."""


@attrs.frozen(eq=False)
class _LinePiece:
    """What one line holds: how far in time it reaches, what backend and host need of it, its steps."""

    first_ps: int
    last_ps: int
    backend: Any
    host: HostPiece | None
    steps: StepMarks | None


@attrs.define
class Reading:
    """What is gathered while the files of a profile are read one after the other."""

    pool: ThreadPoolExecutor
    """Decodes lines; the kernels release the interpreter's lock."""
    tables: Tables = attrs.field(factory=Tables)
    marks: dict[tuple[int, str], list[StepMarks]] = attrs.field(factory=dict)
    """By host and name: a host's profile may come in parts."""
    device_steps: list[StepMarks] = attrs.field(factory=list)
    compiling: list[Spans] = attrs.field(factory=list)
    first_ps: int = np.iinfo(np.int64).max
    last_ps: int = np.iinfo(np.int64).min

    def read_plane(self, plane: XPlane, offset_ps: int) -> None:
        """Read one plane: its executions, its step marks, and how far in time it reaches.

        ``offset_ps`` moves the host's clock onto the profile's.
        """
        backend: _PlaneReader | None = None
        host: HostReader | None = None
        if _TPU_CORE.match(plane.name):
            backend = TpuReader(plane, self.tables)
        elif _GPU.match(plane.name):
            backend = GpuReader(plane, self.tables)
        elif plane.name == "/host:CPU":
            backend = CpuReader(plane, self.tables)
            host = HostReader(plane)
        is_device = plane.name.startswith("/device:")

        def read(line: XLine) -> _LinePiece | None:
            events = line.events()
            if not len(events):
                return None
            if offset_ps:
                events.start_ps += offset_ps
            piece = _LinePiece(
                int(events.start_ps.min()),
                int((events.start_ps + events.duration_ps).max()),
                backend.read_line(line, events) if backend is not None else None,
                host.read_line(events) if host is not None else None,
                _steps_line(plane, events) if is_device and line.name in STEPS_LINES else None,
            )
            line.forget_pages()
            return piece

        pieces: list[Any] = []
        for piece in self.pool.map(read, plane.lines):
            if piece is None:
                continue
            self.first_ps = min(self.first_ps, piece.first_ps)
            self.last_ps = max(self.last_ps, piece.last_ps)
            if piece.backend is not None:
                pieces.append(piece.backend)
            if host is not None and piece.host is not None:
                host.add(piece.host)
            if piece.steps is not None:
                self.device_steps.append(piece.steps)
        if backend is not None:
            backend.finish(pieces)
        if host is not None:
            self.tables.launches.setdefault(self.tables.host, []).extend(host.launches)
            for marks in host.step_marks:
                self.marks.setdefault((self.tables.host, marks.name), []).append(marks)
            self.compiling.append(host.compiling)


def _steps_line(plane: XPlane, events: Events) -> StepMarks:
    rows = events.order()
    return StepMarks(
        plane.name, np.arange(len(events), dtype=np.int64), events.start_ps[rows], events.duration_ps[rows]
    )
