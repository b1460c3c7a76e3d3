"""Which runs a comparison's two sides are, and what people read of them."""

from datetime import datetime
from pathlib import Path

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.run.experiment import complete_rounds
from scopelight.model.run.information import GitState, RunInformation
from scopelight.model.run.names import RUN_FILE
from scopelight.model.run.run_file import find_run_information
from scopelight.model.run.sides import is_experiment, rounds_in
from scopelight.protocol.comparing import ComparedWith
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.server.wire.faults import RequestFailed

_DIGITS = (4, 8)
"""How much of a commit is written: less where it tells the two apart."""


@attrs.frozen
class Sides:
    """The runs of both sides, in the order of their rounds."""

    before: tuple[Path, ...]
    after: tuple[Path, ...]


def sides_of(run: Path, before: Path | None) -> Sides:
    """The runs that are meant: of ``run`` and what was ``before``, or of an experiment, which is both.

    Raises `FormatError` where a folder has none, and `RequestFailed` where it would be compared with itself.
    """
    # A round that failed on one side is no round of the other either.
    sides = Sides(*complete_rounds(run)) if before is None else Sides(_runs(before), _runs(run))
    if not sides.before or not sides.after:
        raise FormatError("it has no round of both sides", path=run)
    if [each.resolve() for each in sides.before] == [each.resolve() for each in sides.after]:
        raise RequestFailed(
            text("{run} is that very run: choose another one to compare it with.", run=printable(run.name))
        )
    return sides


def _runs(path: Path) -> tuple[Path, ...]:
    if not path.is_dir() or (path / RUN_FILE).is_file():
        return (path,)
    # A log directory of another tool is one run.
    return (complete_rounds(path)[1] if is_experiment(path) else rounds_in(path)) or (path,)


def compared_with(sides: Sides, run: Path, before: Path | None) -> ComparedWith:
    """What people read of two sides. ``run`` and ``before`` are what was asked for."""
    earlier, later = _information(sides.before[0]), _information(sides.after[0])
    return ComparedWith(
        run=str(sides.after[0]),
        before=tuple(map(str, sides.before)),
        after=tuple(map(str, sides.after)),
        since=_since(earlier, later) or (before or sides.before[0]).name,
        before_title=_title(sides.before, earlier),
        after_title=_title(sides.after, later),
        before_revision=None if earlier.git is None else earlier.git.short,
        after_revision=None if later.git is None else later.git.short,
        experiment=str(run) if before is None else None,
    )


def _information(run: Path) -> RunInformation:
    try:
        return find_run_information(run) or RunInformation()
    except FormatError:
        # The comparison says itself what cannot be read.
        return RunInformation()


def _since(before: RunInformation, after: RunInformation) -> str | None:
    """The commit where that tells the sides apart, else when the first was made."""
    commit = _telling_commit(before.git, after.git)
    if commit is not None:
        return commit
    times = _time(before), _time(after)
    if times[0] is None:
        return None
    if times[1] is None or times[0].date() != times[1].date():
        return f"{times[0]:%Y-%m-%d}"
    is_one_minute = f"{times[0]:%H:%M}" == f"{times[1]:%H:%M}"
    return f"{times[0]:%H:%M:%S}" if is_one_minute else f"{times[0]:%H:%M}"


def _telling_commit(before: GitState | None, after: GitState | None) -> str | None:
    """``3f2a``; ``3f2a*`` where files differed from it. None where both are of one, or of an unknown one."""
    if before is None or after is None:
        return None
    is_same = before.commit == after.commit
    if is_same and (before.dirty or not after.dirty):
        return None
    commits = before.commit, after.commit
    digits = next((each for each in _DIGITS if is_same or commits[0][:each] != commits[1][:each]), _DIGITS[-1])
    return commits[0][:digits] + ("*" if before.dirty else "")


def _time(run: RunInformation) -> datetime | None:
    try:
        return None if run.created is None else datetime.fromisoformat(run.created).astimezone()
    except ValueError:
        return None


def _title(runs: tuple[Path, ...], first: RunInformation) -> str:
    """``train.py · 2026-11-30 12:03 · 3f2a1b0c · 5 rounds``."""
    time = _time(first)
    facts = (
        Path(first.script).name if first.script is not None else runs[0].name,
        None if time is None else f"{time:%Y-%m-%d %H:%M}",
        None if first.git is None else first.git.short,
        text("{count} rounds", count=len(runs)) if len(runs) > 1 else None,
    )
    return " · ".join(fact for fact in facts if fact is not None)
