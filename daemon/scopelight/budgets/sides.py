"""Which runs are held against budgets, and which those are that changes are since."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import attrs

from scopelight.model.run.experiment import complete_rounds, find_experiments
from scopelight.model.run.listing import find_runs
from scopelight.model.run.lookup import run_folder
from scopelight.model.run.names import RUNS_FOLDER
from scopelight.model.run.sides import UnknownSideError, is_experiment, rounds_in, runs_of_side
from scopelight.phrase import Phrase

_SHORT = 8
"""Digits of a commit that tell it from others."""


class NoRunError(Exception):
    """There is no run that could be meant; the message is a sentence."""


@attrs.frozen
class CheckedSides:
    """``runs`` are held against budgets, ``base`` are those that changes are since: rounds of a side in their order.

    ``base`` is empty where none is named, nor is known from where the runs lie.
    """

    runs: tuple[Path, ...]
    base: tuple[Path, ...] = ()


def sides_of(run: Path | None, against: str | None, folder: Path) -> CheckedSides:
    """What the path of a run, else the newest in a folder, and the name of a base mean.

    Of an experiment it is what came after, since what came before; as a base it means what came before. Raises
    `NoRunError` where there is no such run, or no other than those that are checked.
    """
    sides = _checked(run, folder) if run is not None else newest_run(folder)
    return sides if against is None else attrs.evolve(sides, base=_base(against, folder, sides.runs))


def newest_run(folder: Path) -> CheckedSides:
    """The newest run that was measured in a folder; else its newest experiment, and a prediction only where there is
    nothing else.

    Raises `NoRunError` where there is none.
    """
    captured = [each for each in find_runs(folder) if each.state == "captured"]
    measured = next((each for each in captured if each.predicted_for is None), None)
    if measured is not None:
        return CheckedSides((Path(measured.path),))
    for experiment in find_experiments(folder):
        before, after = complete_rounds(Path(experiment.path))
        if after:
            return CheckedSides(after, before)
    if captured:
        return CheckedSides((Path(captured[0].path),))
    raise NoRunError(
        Phrase("No run was captured in {folder}. Capture one: scopelight run SCRIPT.", folder=folder.absolute())
    )


def _checked(path: Path, folder: Path) -> CheckedSides:
    whole = folder / path
    if is_experiment(whole):
        before, after = complete_rounds(whole)
        return CheckedSides(_known(after, str(path)), before)
    if run_folder(whole) is not None or not whole.is_dir():
        return CheckedSides((path,))
    if whole.name == RUNS_FOLDER or (whole / RUNS_FOLDER).is_dir():
        # Runs of a project are of all that it was, and no rounds of what it is.
        return newest_run(whole)
    # A log directory of other origin is one run.
    return CheckedSides(rounds_in(whole) or (path,))


def _base(name: str, folder: Path, checked: Sequence[Path]) -> tuple[Path, ...]:
    but = {(run_folder(each) or each).resolve() for each in checked}
    if is_experiment(folder / name):
        before = _known(complete_rounds(folder / name)[0], name)
        runs = tuple(each for each in before if each.resolve() not in but)
    else:
        try:
            runs = runs_of_side(name, folder, but)
        except UnknownSideError as error:
            _raise_unknown(error, folder)
    if not runs:
        raise NoRunError(
            Phrase("{name} has no other run than what is checked: there is nothing to compare with.", name=name)
        )
    return runs


def _known(rounds: tuple[Path, ...], name: str) -> tuple[Path, ...]:
    if not rounds:
        raise NoRunError(Phrase("No round of {name} was captured of both sides.", name=name))
    return rounds


def _raise_unknown(error: UnknownSideError, folder: Path) -> NoReturn:
    if error.revision is None:
        raise NoRunError(
            Phrase("{name} is no run, no folder of runs and no revision of git that is known here.", name=error.given)
        ) from error
    raise NoRunError(
        Phrase(
            "No other run in {folder} was made of {name} ({commit}), with nothing changed since: there is nothing to"
            " compare with. Make rounds of both: scopelight run --against {name} SCRIPT.",
            folder=folder.absolute(),
            name=error.given,
            commit=error.revision[:_SHORT],
        )
    ) from error
