"""Reading planes: each by the reader of its backend, line by line, one file after the other."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import XLine, XPlane, XSpace
from scopelight.model.backends.tables import Tables
from scopelight.model.host.states import ThreadStates
from scopelight.model.host_events import HostPiece, HostReader
from scopelight.model.profile import CpuRuntime, StepMarks
from scopelight.model.spans import Spans

HOST_PLANE = "/host:CPU"
"""The threads of a host, with the ops that XLA:CPU ran on them."""
STEPS_LINES = frozenset({"Steps", "Sparse Core Steps"})

_TPU_CORE = re.compile(r"/device:TPU:\d+( SparseCore \d+)?$")
_GPU = re.compile(r"/device:GPU:\d+$")


def readable_cut_plane(space: XSpace) -> XPlane | None:
    """The plane in whose midst a file was cut off, where it is known what its events are."""
    plane = space.cut_plane
    # What a device's events are is in their names.
    return plane if plane is not None and (plane.name == HOST_PLANE or not plane.has_lost_names) else None


class _PlaneReader(Protocol):
    """Reads the lines of one plane, each decoded once and dropped after."""

    def read_line(self, line: XLine, events: Events) -> Any:  # noqa: ANN401 (each backend's own piece)
        """What the backend needs of a line. Called from several threads at once: it must change nothing shared."""

    def finish(self, pieces: list[Any]) -> None:
        """Add what the pieces hold, which come in the order of the lines. May take them from the list."""


@attrs.frozen(eq=False, repr=False)
class _LinePiece:
    """What one line holds: how far in time it reaches, what backend and host need of it, its steps."""

    first_ps: int
    last_ps: int
    backend: Any
    host: HostPiece | None
    steps: StepMarks | None


@attrs.define(eq=False, repr=False)
class Reading:
    """What is gathered while the files of a profile are read one after the other."""

    pool: ThreadPoolExecutor
    """Decodes lines; the kernels release the interpreter's lock."""
    tables: Tables = attrs.field(factory=Tables)
    marks: dict[tuple[int, str], list[StepMarks]] = attrs.field(factory=dict)
    """By host and name: a host's profile may come in parts."""
    device_steps: list[StepMarks] = attrs.field(factory=list)
    compiling: list[Spans] = attrs.field(factory=list)
    cpu_runs: dict[CpuRuntime, list[Int64]] = attrs.field(factory=dict)
    states: list[Sequence[ThreadStates]] = attrs.field(factory=list)
    """Of the threads of each trace."""
    has_devices: bool = False
    first_ps: int = np.iinfo(np.int64).max
    last_ps: int = np.iinfo(np.int64).min

    def read_plane(self, plane: XPlane, offset_ps: int) -> Sequence[tuple[int, int]]:
        """Read one plane: its executions and its step marks. Returns where its lines that have events start and end.

        ``offset_ps`` moves the host's clock onto the profile's.
        """
        backend = _backend_of(plane, self.tables)
        host = HostReader(plane, self.tables.host) if plane.name == HOST_PLANE else None
        is_device = plane.name.startswith("/device:")
        self.has_devices = self.has_devices or bool(_TPU_CORE.match(plane.name) or _GPU.match(plane.name))

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
                host.read_line(line, events) if host is not None else None,
                _steps_line(plane, events) if is_device and line.name in STEPS_LINES else None,
            )
            line.forget_pages()
            return piece

        pieces: list[Any] = []
        reach: list[tuple[int, int]] = []
        piece = None
        for piece in self.pool.map(read, plane.lines):
            if piece is None:
                continue
            reach.append((piece.first_ps, piece.last_ps))
            self.first_ps = min(self.first_ps, piece.first_ps)
            self.last_ps = max(self.last_ps, piece.last_ps)
            if piece.backend is not None:
                pieces.append(piece.backend)
            if host is not None and piece.host is not None:
                host.add(piece.host)
            if piece.steps is not None:
                self.device_steps.append(piece.steps)
        # The last one would stay in memory, beside what is made of it.
        del piece
        if backend is not None:
            backend.finish(pieces)
        if host is not None:
            self.tables.launches.setdefault(self.tables.host, []).extend(host.launches)
            for marks in host.step_marks:
                of_host = attrs.evolve(marks, host=self.tables.host)
                self.marks.setdefault((of_host.host, marks.name), []).append(of_host)
            self.compiling.append(host.compiling)
            self.states.append(host.states)
            for runtime, starts_ps in host.runs.items():
                self.cpu_runs.setdefault(runtime, []).extend(starts_ps)
        return reach


def _backend_of(plane: XPlane, tables: Tables) -> _PlaneReader | None:
    # Imported for the planes that are there: a profile has one backend, or two.
    if _TPU_CORE.match(plane.name):
        from scopelight.model.backends.tpu import TpuReader  # noqa: PLC0415

        return TpuReader(plane, tables)
    if _GPU.match(plane.name):
        from scopelight.model.backends.gpu import GpuReader  # noqa: PLC0415

        return GpuReader(plane, tables)
    if plane.name == HOST_PLANE:
        from scopelight.model.backends.cpu import CpuReader  # noqa: PLC0415

        return CpuReader(plane, tables)
    return None


def _steps_line(plane: XPlane, events: Events) -> StepMarks:
    rows = events.order()
    return StepMarks(
        plane.name, np.arange(len(events), dtype=np.int64), events.start_ps[rows], events.duration_ps[rows]
    )
