"""A run at a path held against the budgets of its project."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.analysis.budgets.records import BudgetsRecord
from scopelight.analysis.options import OptionError
from scopelight.budgets.changing import Changes
from scopelight.budgets.checking import check_budgets
from scopelight.budgets.config import FILE_NAME, config_of, read_config
from scopelight.findings import empty
from scopelight.phrase import Phrase
from scopelight.views.comparing import compare_runs
from scopelight.views.opening import open_subject


def checked_run(
    runs: Sequence[Path], base: Sequence[Path], folder: Path, *, config: Path | None = None, target: str | None = None
) -> BudgetsRecord:
    """Hold the last of ``runs`` against its budgets, those of changes since the runs at ``base``.

    As many runs on both sides are rounds, each compared with that of its place; else the last of both are compared.
    ``folder`` is where it is asked, ``config`` the file of budgets where that is named. Raises `FormatError` where a
    run cannot be read, and `OptionError` where there is no such ``target`` or ``config``.
    """
    path = runs[-1]
    subject = open_subject(path, folder)
    subject = attrs.evolve(subject, target=subject.target_named(target)) if target else subject
    file = config or config_of(subject.profile.capture, folder)
    text = read_config(file) if file is not None else None
    if file is None or text is None:
        if config is not None:
            raise OptionError("config", Phrase("{config} is no file of budgets: it cannot be read.", config=config))
        return BudgetsRecord(run=str(path), config=str(file or folder / FILE_NAME), findings=(empty("budgets-absent"),))
    pairs = list(zip(base, runs, strict=True)) if len(base) == len(runs) else [(base[-1], path)] if base else []
    before = [open_subject(each, folder) for each, _ in pairs]
    after = [subject if each == path else open_subject(each, folder) for _, each in pairs]
    changes = Changes(lambda: compare_runs(before, after)) if pairs else None
    return check_budgets(
        subject,
        file.absolute(),
        text,
        changed=changes.taken if changes is not None else None,
        base=base[-1] if base else None,
    )
