"""How quickly the memory of a large program is analysed: one of 28,000 instructions, from its file to the records."""

import hashlib
import statistics
import subprocess
import time
from pathlib import Path

import attrs

from scopelight import garbage
from scopelight.analysis.memory.plan.lines import memory_lines_record
from scopelight.analysis.memory.plan.program_choice import program_choice
from scopelight.analysis.memory.plan.viewer import memory_viewer_record, viewed_program
from scopelight.model.opening.profile import open_profile

PROGRAM = Path(__file__).parents[1] / "unrolled.py"
REPETITIONS = 5


@attrs.frozen
class MemoryFigures:
    """``first_seconds`` is the first analysis of a process, which loads kernels; ``warm_seconds`` the median of more.

    Both are of everything: finding the program with the largest peak, reading its buffers, and making the records of
    the viewer and the lines.
    """

    first_seconds: float
    warm_seconds: float
    instructions: int
    buffers: int


def captured_program(python: Path, folder: Path, environment: dict[str, str]) -> Path:
    """A run of the unrolled program, made once and kept until what makes it changes."""
    digest = hashlib.sha256(PROGRAM.read_bytes()).hexdigest()[:16]
    run = folder / f"unrolled-{digest}"
    if not (run / "run.json").is_file():
        command = [python, "-m", "scopelight.cli.main", "run", "--whole", "--no-calibration", "--out", run]
        subprocess.run([*command, PROGRAM], check=True, env=environment, stdout=subprocess.DEVNULL)
    return run


def measure(path: Path) -> MemoryFigures:
    """Analyse the memory of a run several times, as the language server does."""
    garbage.look_for_it_seldom()
    profile = open_profile(path)
    seconds = []
    for _ in range(1 + REPETITIONS):
        start = time.perf_counter()
        choice = program_choice(profile)
        viewed = viewed_program(profile, choice, choice.modules[0])
        memory_viewer_record(profile, choice, viewed, None)
        memory_lines_record(viewed, None)
        seconds.append(time.perf_counter() - start)
    return MemoryFigures(
        first_seconds=seconds[0],
        warm_seconds=statistics.median(seconds[1:]),
        instructions=len(viewed.memory.module.instructions),
        buffers=len(viewed.memory.buffers),
    )
