"""What a run keeps of a caught program: the verdict, and the program as the compiler left it."""

import shutil
from pathlib import Path

from scopelight.capture.preflight.caught_programs import CaughtProgram
from scopelight.capture.publishing.run_directory import file_name
from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.formats.out_of_memory_message import read_out_of_memory
from scopelight.model.run.names import PROGRAMS_FOLDER
from scopelight.model.run.prediction import PredictedOutcome, PredictedProgram


def keep(run: Path, program: CaughtProgram, verdict: Verdict | None) -> PredictedProgram:
    """Keep a program in a run directory; ``verdict`` is None where none came. Raises `OSError`."""
    if verdict is None:
        outcome: PredictedOutcome = "cancelled" if program.task is not None else program.outcome
        verdict = Verdict(outcome, program.message)
    file = None
    if verdict.file is not None:
        place = run / PROGRAMS_FOLDER / f"{file_name(program.name)}.{program.number}.hlo.pb"
        place.parent.mkdir(exist_ok=True)
        shutil.copyfile(verdict.file, place)
        file = place.relative_to(run).as_posix()
    said = read_out_of_memory(verdict.message) if verdict.outcome == "no-room" else None
    return PredictedProgram(
        number=program.number,
        name=program.name,
        outcome=verdict.outcome,
        file=file,
        partitions=program.partitions,
        message=verdict.message,
        seconds=verdict.seconds,
        memory=verdict.memory,
        needed_bytes=said.requested_bytes if said is not None else None,
        available_bytes=said.limit_bytes if said is not None else None,
        host_calls=program.host_calls,
    )
