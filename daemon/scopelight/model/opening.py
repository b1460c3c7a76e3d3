"""Opening: from a run directory, a log directory or one file to a `Profile`."""

import functools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import attrs
import numpy as np

from scopelight.formats.errors import FormatError
from scopelight.formats.events import Events
from scopelight.formats.hlo import HloBlob, hlo_protos, read_hlo_file
from scopelight.formats.xspace import XLine, XPlane, XSpace, read_xspace
from scopelight.model.backends.cpu import CpuReader
from scopelight.model.backends.gpu import GpuReader
from scopelight.model.backends.tables import Tables, finish
from scopelight.model.backends.tpu import TpuReader
from scopelight.model.hlo import HloModule
from scopelight.model.hlo_builder import build_module
from scopelight.model.host import HostPiece, HostReader, merge_spans
from scopelight.model.profile import Profile, Spans, StepMarks
from scopelight.model.run_information import RUN_FILE, read_capture_information

MOST_THREADS = 4
"""Lines decoded at once: each takes memory while it is decoded."""
STEPS_LINES = frozenset({"Steps", "Sparse Core Steps"})
MOST_SKEW_PS = 86_400 * 10**12
"""Sessions of one capture start within seconds of each other; a day apart they are not one capture."""

_PART = re.compile(r"\.part\d+$")
_TPU_CORE = re.compile(r"/device:TPU:\d+( SparseCore \d+)?$")
_GPU = re.compile(r"/device:GPU:\d+$")


def find_xspaces(path: Path) -> tuple[list[Path], list[str]]:
    """The XSpace files that a path stands for: itself, or those of the newest session below a directory.

    Also a warning where a directory holds several sessions. Raises `FormatError` where there is none.
    """
    if path.is_file():
        return [path], []
    if not path.exists():
        raise FormatError("there is no such file or directory", path=path)
    sessions: dict[Path, list[Path]] = {}
    for file in sorted(path.rglob("*.xplane.pb")):
        sessions.setdefault(file.parent, []).append(file)
    if not sessions:
        raise FormatError("the directory holds no profile (no *.xplane.pb file)", path=path)
    newest = max(sessions, key=lambda folder: (folder.name, folder))
    others = [f"{path} holds {len(sessions)} profiles: the newest, {newest}, is shown."] if len(sessions) > 1 else []
    return sessions[newest], others


def _module_builders(space: XSpace) -> Mapping[str, Callable[[], HloModule]]:
    def build(blob: HloBlob) -> HloModule:
        return build_module(blob.parse(), blob.program_id, blob.where)

    return {blob.program_id: functools.partial(build, blob) for blob in hlo_protos(space)}


def _session_start_ns(space: XSpace) -> int | None:
    """When the session began, in ns since the epoch; None in older files."""
    for plane in space.planes:
        if plane.name == "Task Environment":
            start = plane.stats.get("profile_start_time")
            return start if isinstance(start, int) else None
    return None


class _PlaneReader(Protocol):
    """Reads the lines of one plane, each decoded once and dropped after."""

    def read_line(self, line: XLine, events: Events) -> Any:  # noqa: ANN401 (each backend's own piece)
        """What the backend needs of a line. Called from several threads at once: it must change nothing shared."""

    def add(self, piece: Any) -> None:  # noqa: ANN401
        """Take in a piece; called in the order of the lines."""

    def finish(self) -> None:
        """Join the pieces."""


@attrs.frozen(eq=False)
class _LinePiece:
    """What one line holds: how far in time it reaches, what backend and host need of it, its steps."""

    first_ps: int
    last_ps: int
    backend: Any
    host: HostPiece | None
    steps: StepMarks | None


@attrs.define
class _Reading:
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
            return _LinePiece(
                int(events.start_ps.min()),
                int((events.start_ps + events.duration_ps).max()),
                backend.read_line(line, events) if backend is not None else None,
                host.read_line(events) if host is not None else None,
                _steps_line(plane, events) if is_device and line.name in STEPS_LINES else None,
            )

        for piece in self.pool.map(read, plane.lines):
            if piece is None:
                continue
            self.first_ps = min(self.first_ps, piece.first_ps)
            self.last_ps = max(self.last_ps, piece.last_ps)
            if backend is not None:
                backend.add(piece.backend)
            if host is not None and piece.host is not None:
                host.add(piece.host)
            if piece.steps is not None:
                self.device_steps.append(piece.steps)
        if backend is not None:
            backend.finish()
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


def _clock_offsets_ps(spaces: Sequence[XSpace]) -> tuple[list[int], list[str]]:
    """How much later each host's origin is than the earliest one's, and a warning where the clocks cannot be joined."""
    starts = [_session_start_ns(space) for space in spaces]
    if len(spaces) > 1 and any(start is None for start in starts):
        return [0] * len(spaces), ["Some hosts recorded no session start: their times are not aligned to each other."]
    absolute = [(start or 0) + space.origin_ns for start, space in zip(starts, spaces, strict=True)]
    offsets = [(each - min(absolute)) * 1000 for each in absolute]
    if max(offsets) > MOST_SKEW_PS:
        return [0] * len(spaces), ["The hosts' sessions lie more than a day apart: their times are not aligned."]
    return offsets, []


def _host_name(file: Path) -> str:
    """The host that a file comes from: what one process recorded in parts, ``HOST.part2.xplane.pb``, is of one host."""
    return _PART.sub("", file.name.removesuffix(".xplane.pb"))


def _moved(marks: StepMarks, origin_ps: int) -> StepMarks:
    return attrs.evolve(marks, start_ps=marks.start_ps - origin_ps)


def _joined(parts: Sequence[StepMarks]) -> StepMarks:
    return StepMarks(
        parts[0].name,
        np.concatenate([part.number for part in parts]),
        np.concatenate([part.start_ps for part in parts]),
        np.concatenate([part.duration_ps for part in parts]),
    )


def open_profile(path: Path) -> Profile:
    """Open a run directory, any TensorBoard log directory, one XSpace file or one ``*.hlo.pb``.

    Raises `FormatError` with one sentence where nothing can be read.
    """
    if path.name.endswith((".hlo.pb", ".hlo_proto.pb")):
        return _open_hlo(path)
    if path.name == RUN_FILE:
        path = path.parent
    capture = read_capture_information(path)
    files, warnings = find_xspaces(path)
    spaces = [read_xspace(file) for file in files]
    offsets_ps, unaligned = _clock_offsets_ps(spaces)
    warnings.extend(unaligned)
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as pool:
        reading = _Reading(pool)
        hosts: dict[str, int] = {}
        for space, offset_ps in zip(spaces, offsets_ps, strict=True):
            reading.tables.host = hosts.setdefault(_host_name(space.path), len(hosts))
            reading.tables.modules = _module_builders(space)
            warnings.extend(space.warnings)
            warnings.extend(f"The profiler reported an error: {error}" for error in space.errors)
            for plane in space.planes:
                reading.read_plane(plane, offset_ps)
    origin_ps = reading.first_ps if reading.first_ps <= reading.last_ps else 0
    executions, runs = finish(reading.tables, origin_ps)
    compiling = Spans(
        np.concatenate([np.zeros(0, dtype=np.int64), *(each.start_ps for each in reading.compiling)]),
        np.concatenate([np.zeros(0, dtype=np.int64), *(each.duration_ps for each in reading.compiling)]),
    )
    return Profile(
        path=path,
        executions=executions,
        runs=runs,
        modules=reading.tables.built_modules,
        duration_ps=max(0, reading.last_ps - origin_ps),
        device_steps=[_moved(each, origin_ps) for each in reading.device_steps],
        step_marks=[_moved(_joined(parts), origin_ps) for parts in reading.marks.values()],
        compiling=merge_spans(compiling.start_ps - origin_ps, compiling.start_ps + compiling.duration_ps - origin_ps),
        capture=capture,
        warnings=(*warnings, *reading.tables.warnings),
    )


def _open_hlo(path: Path) -> Profile:
    """A compiled program alone: one module, nothing that ran."""
    nothing, runs = finish(Tables(), 0)
    module = build_module(read_hlo_file(path), "", str(path))
    return Profile(path=path, executions=nothing, runs=runs, modules=[module], duration_ps=0)
