"""Schema of ``prediction.json``: what a compiler for TPUs made of the programs of a script that ran elsewhere."""

from pathlib import Path
from typing import Literal

import attrs

from scopelight.formats.lenient import read_object
from scopelight.model.run.json_files import read_record, write_json
from scopelight.model.run.names import PREDICTION_FILE

PredictedOutcome = Literal[
    "compiled", "no-room", "refused", "not-lowered", "too-few-devices", "crashed", "memory-limit", "cancelled"
]
"""``no-room``: it does not fit into the memory of the TPU; ``not-lowered``: jax has no way to say it for a TPU. The
last three say nothing of the program: its compiler ended, took more memory than it may, or was told to end."""
PreflightMode = Literal["dry", "observe"]
"""Whether programs returned zeros and did not run, or ran on the backend of the script."""
WayOfReading = Literal["bool", "index", "int", "float", "complex", "item", "copy"]
DECISIONS: tuple[WayOfReading, ...] = ("bool", "index")
"""Ways in which Python reads an array to decide: where to go on, how often, how large. Others may only print it."""


@attrs.frozen
class PredictedMemory:
    """What the compiler says that a program takes of each device's memory."""

    argument_bytes: int | None = None
    output_bytes: int | None = None
    alias_bytes: int | None = None
    temporary_bytes: int | None = None
    code_bytes: int | None = None
    peak_bytes: int | None = None


@attrs.frozen
class PlaceOfCall:
    """A frame that a primitive was traced at."""

    path: str
    line: int
    function: str = ""


@attrs.frozen
class HostCall:
    """A call of Python from within a program, and where it was traced, innermost frame first."""

    primitive: str
    stack: tuple[PlaceOfCall, ...] = ()


@attrs.frozen
class PredictedProgram:
    """A program that was caught. ``file`` is relative to the run; None where the compiler left nothing.

    ``partitions`` are the devices that it runs on. ``message`` is the compiler's, or jax's where it was not lowered.
    ``needed_bytes`` of each device's main memory are what it says that a program needs for which there is no room, of
    ``available_bytes``, as exactly as it says it; None where it does not.
    """

    number: int
    name: str
    outcome: PredictedOutcome
    file: str | None = None
    partitions: int = 1
    message: str = ""
    seconds: float | None = None
    memory: PredictedMemory | None = None
    needed_bytes: int | None = None
    available_bytes: int | None = None
    host_calls: tuple[HostCall, ...] = ()


@attrs.frozen
class Called:
    """A program that was called so many times in a row."""

    program: int
    times: int = 1


@attrs.frozen
class ReadZero:
    """A line whose Python read a zero in place of what a program returns, ``times`` times."""

    path: str
    line: int
    function: str = ""
    how: WayOfReading = "bool"
    times: int = 1


@attrs.frozen
class Prediction:
    """For ``target``, a name of a cloud's, whose devices are ``device``; all of them do the same.

    ``calls`` are in the order of the script. ``was_cancelled``: it was ended before all that the script compiles was
    compiled. ``read_zeros`` are the lines that did so most often; none where programs ran.
    """

    target: str = ""
    device: str = ""
    devices: int = 1
    mode: PreflightMode = "dry"
    compiler: str = ""
    programs: tuple[PredictedProgram, ...] = ()
    calls: tuple[Called, ...] = ()
    was_cancelled: bool = False
    read_zeros: tuple[ReadZero, ...] = ()


def write_prediction(run: Path, prediction: Prediction) -> None:
    """Write it into a run directory, in one step. Raises `OSError`."""
    write_json(run / PREDICTION_FILE, attrs.asdict(prediction), indent=1)


def read_prediction(run: Path) -> Prediction | None:
    """That of a run directory; None where it has none that can be read."""
    return read_record(run / PREDICTION_FILE, Prediction)


def was_cancelled(run: Path) -> bool:
    """Whether that of a run directory was; the rest of it is not looked at. False where there is none."""
    try:
        said = read_object((run / PREDICTION_FILE).read_bytes())
    except OSError:
        return False
    return said is not None and said.get("was_cancelled") is True
