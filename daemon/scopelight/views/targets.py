"""Predicted runs of one script, and measured ones, opened and put side by side."""

from collections.abc import Sequence
from pathlib import Path

from scopelight.analysis.targets.comparison import targets
from scopelight.analysis.targets.records import TargetsRecord
from scopelight.formats.errors import FormatError
from scopelight.model.run.information import RunInformation
from scopelight.model.run.run_file import find_run_information
from scopelight.report.targets.names import names_of, title_of
from scopelight.views.opening import open_subject


def compared_targets(named: Sequence[tuple[str, Path]], *folders: Path) -> TargetsRecord:
    """Compare the runs in these directories, each with what tells it from the others, in their order.

    ``folders`` are the workspace's, as for any run. What cannot be read is said and left out.
    """
    return targets([(name, open_subject(run, *folders)) for name, run in named])


def named_runs(runs: Sequence[Path]) -> tuple[str, Sequence[tuple[str, Path]]]:
    """What a comparison of these runs is called, and each of them with what tells it from the others."""
    described = [(run, _information(run)) for run in runs]
    names = names_of(described)
    return title_of(described, names), list(zip(names, runs, strict=True))


def _information(run: Path) -> RunInformation | None:
    try:
        return find_run_information(run)
    except FormatError:
        # Whoever opens it says what is wrong with it.
        return None
