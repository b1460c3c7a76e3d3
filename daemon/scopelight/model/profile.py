"""Profile: one opened run, whatever it was made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

from scopelight.findings import Finding
from scopelight.formats.columns import Int64
from scopelight.model.executions import Executions, ProgramRuns
from scopelight.model.memory.in_use import MemoryInUse
from scopelight.model.spans import Spans
from scopelight.program.hlo.nouns import HloModule

if TYPE_CHECKING:
    # A capture imports this module: importing the decoders of programs would slow its start.
    from scopelight.formats.host_recording.reader import HostRecording
    from scopelight.model.hardware_counters import HardwareCounter
    from scopelight.model.host.annotations import HostAnnotations
    from scopelight.model.host.record import HostRecord
    from scopelight.model.host.resources import HostResources
    from scopelight.model.host.stage_events import StageEvents
    from scopelight.model.host.states import ThreadStates
    from scopelight.model.run.compatibility import Compatibility
    from scopelight.model.run.compilations import Compilation
    from scopelight.model.run.information import RunInformation
    from scopelight.model.run.prediction import Prediction
    from scopelight.program.hlo.frames import Frame
    from scopelight.program.stored import StoredProgram


CpuRuntime = Literal["XLA", "TensorFlow"]
"""What runs programs on the CPU of a host."""


@attrs.frozen(eq=False, repr=False)
class StepMarks:
    """Host annotations that mark steps (``StepTraceAnnotation`` of any name), sorted by start.

    ``number`` is the annotated step number; ``start_ps`` and ``duration_ps`` are the annotation's own span. ``host`` is
    the one that annotated, as `Device.host` counts.
    """

    name: str
    number: Int64
    start_ps: Int64
    duration_ps: Int64
    host: int = 0


@attrs.frozen
class HostClock:
    """What collectives tell of a host's clock: ``offset_ps`` is to be added to it so that it agrees with the first
    host's, by ``error_ps`` more or less; None each where nothing is told. ``applied_ps`` was added."""

    offset_ps: int | None = None
    error_ps: int | None = None
    applied_ps: int = 0


@attrs.frozen
class Trace:
    """One file of a profile: its host, as `Device.host` counts, what that is called, and its clock."""

    file: Path
    host: int
    name: str
    clock: HostClock = HostClock()


@attrs.frozen(eq=False, repr=False)
class Profile:
    """One opened run. Any table may be empty; ``findings`` say what is missing and why."""

    path: Path
    executions: Executions
    runs: ProgramRuns
    modules: Sequence[HloModule]
    """Of the programs that were seen to run; of a compiled program alone, that one."""
    duration_ps: int
    """From the first event of the profile to the last."""
    device_steps: Sequence[StepMarks] = ()
    """Stored ``Steps`` lines, one entry per plane, named after it."""
    step_marks: Sequence[StepMarks] = ()
    """Host annotations, one entry per host and name."""
    compiling: Spans | None = None
    """When a host compiled."""
    untraced: Spans | None = None
    """Moments between two traces that one process made one after the other: nothing is known of them."""
    cpu_runs: Mapping[CpuRuntime, Int64] = attrs.Factory(dict)
    """When host events began in which programs ran on the CPU, sorted; their ops need not be recorded."""
    has_devices: bool = False
    """Whether it has a plane of a device other than the CPU."""
    capture: RunInformation | None = None
    findings: Sequence[Finding] = ()
    programs: Sequence[StoredProgram] = ()
    """Every compiled program that the files hold, whether it ran or not; each id once."""
    is_cut_off: bool = False
    """Whether a file of it was cut off: what is in none of its tables may have been in the rest."""
    memory: MemoryInUse = attrs.Factory(MemoryInUse)
    """What was in memory while it was made."""
    host_states: Sequence[ThreadStates] = ()
    """What the threads of each host were in, of those of which anything is known."""
    host_records: Callable[[], Mapping[int, HostRecord]] = dict
    """By host what was recorded of its threads beside the trace."""
    host_damage: Callable[[], Sequence[Finding]] = tuple
    """Of recordings of threads that are there and cannot be read."""
    stage_events: Callable[[], StageEvents | None] = lambda: None
    """The stages of input that libraries marked in the traces; None where nothing was traced."""
    annotations: Callable[[], Sequence[HostAnnotations]] = tuple
    """Spans that scripts named on the threads that launch."""
    hardware_counters: Callable[[], Sequence[HardwareCounter]] = tuple
    """What devices counted while they were traced; none where they were not told to."""
    resources: Callable[[], HostResources | None] = lambda: None
    """What the machine and the script's processes did, read beside it; None where nothing was."""
    compilations: Callable[[], Sequence[Compilation]] = tuple
    """What jax compiled while the script ran, in its order; none where nothing was written down."""
    started_ns: int | None = None
    """When its first event was, in ns since the epoch; None where the profiler does not say."""
    traces: Sequence[Trace] = ()
    """The files that it was read from, in the order of their names."""
    prediction: Prediction | None = None
    """Of programs that were compiled for a TPU and ran nowhere, what their compiler said; None where something ran."""
    compatibility: Callable[[], Compatibility | None] = lambda: None
    """What a TPU would do with each op of these; None where nobody knows."""
    is_memory_alone: bool = False
    """Whether it holds memory and no trace: a snapshot, or a run that ended before a trace was saved."""

    @property
    def host_names(self) -> Sequence[str]:
        """What hosts are called, by their numbers."""
        return list(dict.fromkeys(each.name for each in self.traces))

    @property
    def silent_runtime(self) -> CpuRuntime | None:
        """What ran programs on the CPU and recorded no op of them; None where an op is recorded or nothing ran."""
        if len(self.executions) or self.has_devices:
            return None
        return next((runtime for runtime, starts_ps in self.cpu_runs.items() if len(starts_ps)), None)

    @property
    def unrecorded_runs(self) -> int:
        """How many events say that programs ran of which no op is recorded."""
        return 0 if self.silent_runtime is None else sum(map(len, self.cpu_runs.values()))

    @property
    def recordings(self) -> Sequence[HostRecording]:
        """What was recorded of threads beside the trace, of all hosts, each in the order of time."""
        return [each for record in self.host_records().values() for each in record.recordings]


def recorded_paths(profile: Profile) -> Sequence[str]:
    """Every file that a stack of the profile's ops names, or of its programs where nothing of them ran, in the order
    of their first naming; then those of ops that need not be compiled, and the user's in which its threads stood."""
    of_host = (code.file for each in profile.recordings for code in each.codes if code.is_users)
    compatibility = profile.compatibility()
    of_ops = (each.path for each in compatibility.frames) if compatibility is not None else ()
    return list(dict.fromkeys([*(frame.path for frame in recorded_frames(profile)), *of_ops, *of_host]))


def recorded_frames(profile: Profile) -> Iterable[Frame]:
    """The frames of every stack of the profile's ops, or of its programs where nothing of them ran, or all is
    predicted."""
    stacks = {}
    # A program that does not fit where it was compiled for has lines of memory, and no ops that ran.
    is_whole = not len(profile.executions) or profile.prediction is not None
    modules = {id(module): module for module in profile.modules} if is_whole else {}
    for op in profile.executions.ops:
        stacks[id(op.stack)] = op.stack
        if op.module is not None:
            modules[id(op.module)] = op.module
    for module in modules.values():
        for instruction in module.instructions:
            stacks[id(instruction.stack)] = instruction.stack
    return dict.fromkeys(frame for stack in stacks.values() for frame in stack)
