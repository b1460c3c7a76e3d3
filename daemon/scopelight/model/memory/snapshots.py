"""The snapshots of memory that a run keeps, or that were opened as files of their own."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scopelight.formats.errors import FormatError
from scopelight.model.memory.recorded import LiveMemory, SnapshotFile
from scopelight.model.run.names import SNAPSHOTS_FOLDER
from scopelight.program.hlo.frames import Frame, Stack

if TYPE_CHECKING:
    from scopelight.model.run.information import RecordedSnapshot, RunInformation

SNAPSHOT_SUFFIX = ".pprof"
MOST_SNAPSHOTS = 64
"""Of a directory: a capture keeps far fewer."""
_PROCESSOR_OF_OLD = re.compile(r"TFRT_CPU_(?P<ordinal>\d+)")
"""How jax 0.6 writes a device of the CPU's backend; newer ones write ``cpu:0``."""


def snapshot_file(file: Path, recorded: RecordedSnapshot | None = None) -> SnapshotFile:
    """One snapshot, with what ``run.json`` recorded of it."""
    return SnapshotFile(
        name=(recorded.name if recorded is not None else "") or file.name,
        file=file,
        taken_ns=recorded.time_ns if recorded is not None else None,
        cost_seconds=recorded.cost_seconds if recorded is not None else None,
        read=functools.partial(_read, file),
    )


def snapshots_of_run(run: RunInformation) -> Sequence[SnapshotFile]:
    """The snapshots of a run directory in the order in which they were taken."""
    if run.path is None:
        return ()
    try:
        files = sorted((run.path / SNAPSHOTS_FOLDER).glob(f"*{SNAPSHOT_SUFFIX}"))[:MOST_SNAPSHOTS]
    except OSError:
        return ()
    recorded = {} if run.memory is None else {Path(each.file).name: each for each in run.memory.snapshots}
    found = [snapshot_file(file, recorded.get(file.name)) for file in files]
    return sorted(found, key=lambda each: (each.taken_ns is None, each.taken_ns or 0, each.file.name))


def _read(file: Path) -> Sequence[LiveMemory]:
    from scopelight.formats.pprof.reader import read_pprof  # noqa: PLC0415 (profiles have no snapshots)

    stacks: dict[int, Stack] = {}
    live = []
    try:
        samples = read_pprof(file)
    except OSError as error:
        reason = error.strerror or error
        raise FormatError("it cannot be read ({reason})", path=file, kind="memory snapshot", reason=reason) from error
    for sample in samples:
        # Samples share the stacks of their file, which outlive this loop.
        stack = stacks.get(id(sample.stack))
        if stack is None:
            stack = tuple(Frame(frame.path, frame.line, frame.function) for frame in sample.stack)
            stacks[id(sample.stack)] = stack
        live.append(LiveMemory(stack, sample.count, sample.bytes, sample.kind, _device(sample.device)))
    return live


def _device(written: str) -> str:
    old = _PROCESSOR_OF_OLD.fullmatch(written)
    return f"cpu:{old['ordinal']}" if old else written
