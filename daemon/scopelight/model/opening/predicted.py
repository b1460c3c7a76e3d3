"""Opening a run that was predicted: programs that a compiler for TPUs made, as if they had run there."""

import functools
from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo.reader import read_hlo_file
from scopelight.model.backends.predicted import predicted_executions
from scopelight.model.devices.table import device_model
from scopelight.model.executions import Device
from scopelight.model.profile import Profile
from scopelight.model.rendezvous.collectives import sent_bytes
from scopelight.model.run.compatibility import read_compatibility
from scopelight.model.run.information import RunInformation
from scopelight.model.run.prediction import Called, Prediction
from scopelight.model.stated_peaks import StatedPeaks
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.stored import StoredProgram

TRIFLE_RATIO = 0.01
"""Programs that take a smaller part of the memory than this of what does not fit are not what is asked about."""
MOST_RUNS_IN_A_ROW = 10
"""Of a program that is called again and again so many runs are laid out: more say nothing more."""


def open_prediction(path: Path, capture: RunInformation | None, prediction: Prediction) -> Profile:
    """The profile of a predicted run. Raises `FormatError` where none of its programs can be read."""
    programs: list[StoredProgram] = []
    modules: dict[int, HloModule] = {}
    findings: list[Finding] = []
    for each in prediction.programs:
        if each.file is None:
            continue
        file = path / each.file
        stored = StoredProgram(each.name, str(each.number), str(file), functools.partial(read_hlo_file, file))
        try:
            modules[each.number] = stored.module()
        except FormatError as error:
            findings.append(warning("program-unreadable", problem=error.sentence))
            continue
        programs.append(attrs.evolve(stored, name=modules[each.number].name))
    model = device_model(prediction.device)
    clock_hz = model.clock_hz if model is not None else None
    link_bytes_per_s = model.link_bytes_per_s if model is not None else None

    def estimate(module: HloModule, instruction: Instruction) -> int | None:
        cycles = instruction.estimated_cycles
        if cycles is not None:
            return None if clock_hz is None else round(cycles * 1e12 / clock_hz)
        sent = sent_bytes(module, instruction)
        return None if sent is None or link_bytes_per_s is None else round(sent * 1e12 / link_bytes_per_s)

    rows = {number: row for row, number in enumerate(modules)}
    runs_there = _running(prediction, model.program_bytes if model is not None else None)
    calls = [rows[each] for each in _laid_out(prediction.calls) if each in rows and each in runs_there]
    device = Device(prediction.device, "tpu", stated=StatedPeaks(prediction.device))
    executions, runs = predicted_executions(tuple(modules.values()), calls, device, estimate)
    return Profile(
        path=path,
        executions=executions,
        runs=runs,
        modules=tuple(modules.values()),
        duration_ps=int(runs.duration_ps.sum()),
        has_devices=True,
        capture=capture,
        findings=findings,
        programs=programs,
        prediction=prediction,
        compatibility=functools.partial(read_compatibility, path),
    )


def _running(prediction: Prediction, room_bytes: int | None) -> frozenset[int]:
    """The programs whose time is told. What does not fit is a plan of memory, and does not run.

    Nothing runs where all that fits is a trifle beside it: else programs of jax that make keys and numbers are all of
    the time of a script whose steps have no room. ``room_bytes`` there are of a device: what is needed at least where
    the compiler does not say how much.
    """
    called = {each.program for each in prediction.calls}
    compiled = [each for each in prediction.programs if each.outcome == "compiled" and each.number in called]
    unfit = [each for each in prediction.programs if each.outcome == "no-room" and each.number in called]
    needed_bytes = max((each.needed_bytes or room_bytes or 0 for each in unfit), default=0)
    peaks_bytes = [each.memory.peak_bytes if each.memory is not None else None for each in compiled]
    if all(each is not None and each < needed_bytes * TRIFLE_RATIO for each in peaks_bytes):
        return frozenset()
    return frozenset(each.number for each in compiled)


def _laid_out(calls: Sequence[Called]) -> Sequence[int]:
    return [each.program for each in calls for _ in range(min(each.times, MOST_RUNS_IN_A_ROW))]
