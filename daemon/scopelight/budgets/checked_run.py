"""Runs at paths held against the budgets of their project."""

from pathlib import Path

import attrs

from scopelight.analysis.budgets.records import BudgetsRecord, ChangesSince
from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.budgets.changing import Changes
from scopelight.budgets.checking import check_budgets
from scopelight.budgets.config import FILE_NAME, config_of, read_config
from scopelight.budgets.sides import CheckedSides
from scopelight.findings import empty
from scopelight.phrase import Phrase
from scopelight.views.comparing import compare_runs
from scopelight.views.opening import open_subject


def checked_run(
    sides: CheckedSides, folder: Path, *, config: Path | None = None, target: str | None = None
) -> BudgetsRecord:
    """Hold runs against their budgets, those of changes since the runs of the base.

    ``folder`` is where it is asked, ``config`` the file of budgets where that is named. Raises `FormatError` where a
    run cannot be read, and `OptionError` where there is no such ``target`` or ``config``.
    """
    subjects = [_subject(each, folder, target) for each in sides.runs]
    before = [open_subject(each, folder) for each in sides.base]
    file = config or config_of(subjects[-1].profile.capture, folder)
    text = read_config(file) if file is not None else None
    if text is None and config is not None:
        raise OptionError("config", Phrase("{config} is no file of budgets: it cannot be read.", config=config))
    absent = empty("budgets-absent", config=str(config) if config is not None else None)
    record = BudgetsRecord(config=str(file or folder / FILE_NAME), findings=(absent,))
    if file is not None and text is not None:
        changes = Changes(lambda: compare_runs(before, subjects)) if before else None
        record = check_budgets(subjects, file.absolute(), text, changes=changes, named=config)
    return attrs.evolve(
        record, run=_side(sides.runs), rounds=len(subjects), since=_since(sides, before[0]) if before else None
    )


def _subject(path: Path, folder: Path, target: str | None) -> Subject:
    subject = open_subject(path, folder)
    return attrs.evolve(subject, target=subject.target_named(target)) if target else subject


def _since(sides: CheckedSides, base: Subject) -> ChangesSince:
    capture = base.profile.capture
    git = capture.git if capture is not None else None
    return ChangesSince(_side(sides.base), len(sides.base), git.short if git is not None else None)


def _side(runs: tuple[Path, ...]) -> str:
    """The path of a run; of rounds that of the folder which they are in."""
    return str(runs[0] if len(runs) == 1 else runs[0].parent)
