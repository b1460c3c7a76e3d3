"""Predicted runs of one script, opened and put side by side."""

from collections.abc import Sequence
from pathlib import Path

from scopelight.analysis.targets.comparison import targets
from scopelight.analysis.targets.records import TargetsRecord
from scopelight.views.opening import open_subject


def compared_targets(named: Sequence[tuple[str, Path]], *folders: Path) -> TargetsRecord:
    """Compare the predicted runs in these directories, each with what tells it from the others, in their order.

    ``folders`` are the workspace's, as for any run. What cannot be read is said and left out.
    """
    return targets([(name, open_subject(run, *folders)) for name, run in named])
