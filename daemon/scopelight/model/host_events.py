"""Host events around program runs: step annotations, compilation, launches, runs on the CPU."""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int64
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import XLine, XPlane
from scopelight.model.host.states import XLA_COMPILING, StateReader, ThreadStates
from scopelight.model.host_launches import ThreadLaunches, hands_over, read_launches
from scopelight.model.profile import CpuRuntime, StepMarks
from scopelight.model.spans import Spans, merge_spans

_XLA_RUNS = ("PjRtCpuExecutable::Execute", "TfrtCpuExecutable::Execute")
"""Beginnings of the names of host events in which XLA runs a program on the CPU."""
_TENSORFLOW_RUNS = ("ExecutorState::Process", "EagerExecute", "FunctionRun", "SessionRun")
"""The same of TensorFlow, whose ops run wherever it puts them."""
_TENSORFLOW_GPU = "GPU_"
"""Beginning of the names of its allocators on a GPU."""


def is_compilation(name: str) -> bool:
    """Whether XLA compiles in the host events of a name."""
    return name.startswith(XLA_COMPILING)


@attrs.frozen(eq=False, repr=False)
class HostPiece:
    """Compilation spans, launches and step annotations of one host thread."""

    compiling: tuple[Int64, Int64]
    """Starts and ends of the events in which the thread compiled."""
    launches: ThreadLaunches | None
    """What the thread launched on GPUs."""
    marks: Sequence[tuple[str, int, int, int]]
    """Step annotations: name, start, step number, duration."""
    runs: Mapping[CpuRuntime, Int64]
    """When the events of each runtime began in which it ran something on the CPU."""
    states: ThreadStates | None
    """What the thread was in."""


class HostReader:
    """Finds step annotations (events with a ``step_num``, of any name), compilations and launches in threads."""

    def __init__(self, plane: XPlane, host: int) -> None:
        self._host = host
        self._names = plane.events_metadata.names
        self._states = StateReader(self._names, plane.stat_names)
        self._compiling = np.array([is_compilation(name) for name in self._names], dtype=np.bool_)
        xla = [name.startswith(_XLA_RUNS) for name in self._names]
        on_cpu = not any(name.startswith(_TENSORFLOW_GPU) for name in plane.stat_names)
        tensorflow = [on_cpu and name.startswith(_TENSORFLOW_RUNS) for name in self._names]
        self._runs: Mapping[CpuRuntime, Bool] = {
            "XLA": np.array(xla, dtype=np.bool_),
            "TensorFlow": np.array(tensorflow, dtype=np.bool_),
        }
        self._may_mark = "step_num" in plane.stat_names
        self._may_launch = "correlation_id" in plane.stat_names
        self._hands_over = hands_over(self._names if self._may_launch else ())
        self._pieces: list[HostPiece] = []

    def read_line(self, line: XLine, events: Events) -> HostPiece:
        """Look through the events of a thread. Several threads may be read at once."""
        occurring = events.metadata[events.firsts]

        def of(kinds: Bool) -> Int64:
            return np.flatnonzero(kinds[events.metadata]) if kinds[occurring].any() else np.zeros(0, dtype=np.int64)

        rows = of(self._compiling)
        launches = read_launches(events, self._hands_over) if self._may_launch else None
        marks = []
        if self._may_mark:
            number, present = events.integer_stats(("step_num",))["step_num"]
            marks = [
                (
                    self._names[events.metadata[row]],
                    int(events.start_ps[row]),
                    int(number[row]),
                    int(events.duration_ps[row]),
                )
                for row in np.flatnonzero(present).tolist()
            ]
        return HostPiece(
            (events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]),
            launches,
            marks,
            {runtime: events.start_ps[of(kinds)] for runtime, kinds in self._runs.items()},
            self._states.read(line, events, self._host),
        )

    def add(self, piece: HostPiece) -> None:
        """Keep what was read of a thread."""
        self._pieces.append(piece)

    @property
    def launches(self) -> list[ThreadLaunches]:
        """What each thread launched that launched anything."""
        return [piece.launches for piece in self._pieces if piece.launches is not None]

    @property
    def states(self) -> list[ThreadStates]:
        """What each thread was in of which anything is known."""
        return [piece.states for piece in self._pieces if piece.states is not None]

    @property
    def runs(self) -> Mapping[CpuRuntime, Sequence[Int64]]:
        """When the events of each runtime began in which it ran something on the CPU, by thread."""
        return {runtime: [piece.runs[runtime] for piece in self._pieces] for runtime in self._runs}

    @property
    def step_marks(self) -> list[StepMarks]:
        """The annotations found, one entry per name, sorted by start."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for piece in self._pieces:
            for name, start_ps, number, duration_ps in piece.marks:
                found.setdefault(name, []).append((start_ps, number, duration_ps))
        columns = {name: np.array(sorted(marks), dtype=np.int64) for name, marks in found.items()}
        return [StepMarks(name, rows[:, 1], rows[:, 0], rows[:, 2]) for name, rows in columns.items()]

    @property
    def compiling(self) -> Spans:
        """When any thread compiled."""
        empty = np.zeros(0, dtype=np.int64)
        return merge_spans(
            np.concatenate([empty, *(piece.compiling[0] for piece in self._pieces)]),
            np.concatenate([empty, *(piece.compiling[1] for piece in self._pieces)]),
        )
