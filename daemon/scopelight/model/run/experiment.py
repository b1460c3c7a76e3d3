"""Schema of ``comparison.json``: a script of two revisions that was captured in turn, a round of both after the other.

The folder that holds it has the runs of either side in a folder of its own, each named by its round: ordinary run
directories. A field is absent (None, or empty) where it is not recorded yet.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import attrs

from scopelight.findings import Finding
from scopelight.formats.errors import FormatError
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.capture_process import is_alive
from scopelight.model.run.json_files import write_json
from scopelight.model.run.names import RUN_FILE, RUNS_FOLDER
from scopelight.model.run.run_file import find_run_information, read_findings

EXPERIMENT_FILE: Final = "comparison.json"
EXPERIMENT_FORMAT_VERSION: Final = 1
"""Newest format that this version reads, and the one that it writes."""

SideName = Literal["before", "after"]
SIDES: Sequence[SideName] = ("before", "after")
ExperimentState = Literal["running", "finished", "interrupted", "failed"]
"""``interrupted``: somebody ended it, or edited its files, and it has the rounds until then. ``failed``: no round is of
both sides."""


@attrs.frozen(slots=True)
class ExperimentSide:
    """A commit with the first line of its message; ``asked`` is what it was called. ``dirty``: tracked files differed
    from it."""

    commit: str = ""
    subject: str = ""
    asked: str | None = None
    dirty: bool = False


@attrs.frozen(slots=True)
class RoundFailure:
    """Why a round has no run of a side, in a sentence."""

    side: SideName
    sentence: str


@attrs.frozen(slots=True)
class ExperimentRound:
    """One round, from 1: which side came first, how long both took, and what of it failed."""

    number: int
    order: tuple[SideName, ...] = ()
    seconds: float | None = None
    failures: tuple[RoundFailure, ...] = ()


@attrs.frozen
class Experiment:
    """What ``comparison.json`` says, and ``path``, where the folder is now.

    ``rounds_planned`` was fixed before; with ``detect_ratio`` after a pilot of ``pilot_rounds``, so that such a change
    of what a step takes would be seen, but for ``most_rounds``. The order of the sides in each round was drawn with
    ``seed``. ``findings`` say what differs between the sides beside their code. ``pid`` is the process that makes them.
    """

    format_version: int = EXPERIMENT_FORMAT_VERSION
    state: ExperimentState | None = None
    created: str | None = None
    """ISO 8601, with the offset of the time zone."""
    script: str | None = None
    is_module: bool = False
    args: tuple[str, ...] = ()
    cwd: str | None = None
    python: str | None = None
    before: ExperimentSide = ExperimentSide()
    after: ExperimentSide = ExperimentSide()
    seed: int | None = None
    rounds_planned: int | None = None
    detect_ratio: float | None = None
    pilot_rounds: int | None = None
    most_rounds: int | None = None
    rounds: tuple[ExperimentRound, ...] = ()
    findings: tuple[Finding, ...] = ()
    pid: int | None = None
    path: Path | None = attrs.field(default=None, eq=False)


def write_experiment(path: Path, experiment: Experiment) -> None:
    """Replace a folder's ``comparison.json`` in one step. Raises `OSError`."""
    fields = attrs.asdict(experiment)
    del fields["path"]
    write_json(path / EXPERIMENT_FILE, fields, indent=1)


def find_experiment(path: Path) -> Experiment | None:
    """What a folder's ``comparison.json`` says; None where it has none.

    Raises `FormatError` where it is no description of an experiment, or of a newer format.
    """
    file = path / EXPERIMENT_FILE
    if not file.is_file():
        return None
    fields = _read(file)
    findings = read_findings(fields.pop("findings", None))
    experiment = from_json(fields, Experiment)
    assert experiment is not None
    return attrs.evolve(experiment, path=path.resolve(), findings=findings)


@attrs.frozen(slots=True)
class ListedExperiment:
    """An experiment in a list: its folder, how many rounds it has of both sides, and what is known of it.

    ``problem`` says why its description cannot be read; the rest is then unknown.
    """

    path: str
    created: str | None = None
    script: str | None = None
    args: tuple[str, ...] = ()
    state: ExperimentState | None = None
    before: ExperimentSide = ExperimentSide()
    after: ExperimentSide = ExperimentSide()
    rounds: int = 0
    rounds_planned: int | None = None
    problem: str | None = None


def find_experiments(folder: Path) -> list[ListedExperiment]:
    """The experiments in ``folder``, or in its ``.scopelight``, or itself, newest first."""
    files = [folder / EXPERIMENT_FILE, *folder.glob(f"*/{EXPERIMENT_FILE}")]
    files += (folder / RUNS_FOLDER).glob(f"*/{EXPERIMENT_FILE}")
    found = [_listed(file.parent) for file in files if file.is_file()]
    return sorted(found, key=lambda each: (each.created or "", each.path), reverse=True)


def _listed(path: Path) -> ListedExperiment:
    try:
        experiment = find_experiment(path) or Experiment()
    except FormatError as error:
        return ListedExperiment(str(path), problem=error.sentence)
    rounds = len(complete_rounds(path)[0])
    return ListedExperiment(
        str(path),
        experiment.created,
        experiment.script,
        experiment.args,
        _state_by_now(experiment, rounds),
        experiment.before,
        experiment.after,
        rounds,
        experiment.rounds_planned,
    )


def _state_by_now(experiment: Experiment, rounds: int) -> ExperimentState | None:
    """What was killed could not say so."""
    if experiment.state != "running" or experiment.pid is None or is_alive(experiment.pid):
        return experiment.state
    return "interrupted" if rounds else "failed"


def round_folder(experiment: Path, side: SideName, number: int) -> Path:
    """The run directory of a round."""
    return experiment / side / f"round-{number}"


def complete_rounds(experiment: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The runs of both sides, of those rounds that were captured of both, in their order.

    One that the experiment says failed does not count: its runs may be whole, and of a file that was edited meanwhile.
    """
    found = [
        [each for each in (experiment / side).glob("round-*") if each.name.removeprefix("round-").isdigit()]
        for side in SIDES
    ]
    numbers = [
        {int(each.name.removeprefix("round-")): each for each in of_side if _is_captured(each)} for of_side in found
    ]
    both = sorted((numbers[0].keys() & numbers[1].keys()) - _failed_rounds(experiment))
    return tuple(numbers[0][each] for each in both), tuple(numbers[1][each] for each in both)


def _failed_rounds(experiment: Path) -> set[int]:
    try:
        found = find_experiment(experiment)
    except FormatError:
        return set()
    return set() if found is None else {each.number for each in found.rounds if each.failures}


def _is_captured(run: Path) -> bool:
    if not (run / RUN_FILE).is_file():
        return False
    try:
        information = find_run_information(run)
    except FormatError:
        return False
    return information is not None and information.state == "captured"


def _read(file: Path) -> dict[str, Any]:
    try:
        fields = read_object(file.read_bytes())
        version = None if fields is None else int(fields.get("format_version", 0))
    except (OSError, ValueError, TypeError, OverflowError) as error:
        raise FormatError("it is not the description of a comparison", path=file) from error
    if fields is None or version is None:
        raise FormatError("it is not the description of a comparison", path=file)
    if version > EXPERIMENT_FORMAT_VERSION:
        raise FormatError(
            "it has format version {version}, newer than this Scopelight reads ({known}): update Scopelight",
            path=file,
            version=version,
            known=EXPERIMENT_FORMAT_VERSION,
        )
    return fields
