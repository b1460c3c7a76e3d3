"""Runs that are open: the few that were asked about last, each read once, and again where it has changed."""

from collections import OrderedDict
from collections.abc import Hashable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from scopelight.agents.workspace import Workspace
from scopelight.model.run.names import RUN_FILE

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject
    from scopelight.model.profile import Profile

KEPT_RUNS: Final = 4


class OpenedRuns:
    """Open runs by path. Safe for several threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, Hashable], Subject] = OrderedDict()
        self._lock = Lock()

    def subject(self, workspace: Workspace, path: Path) -> "Subject":
        """The run at a path, whose files in the workspace are the user's; it is read when that is first needed."""
        key = (path, (workspace.roots, _state(path)))
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = _shut_in(workspace, path)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT_RUNS:
                self._kept.popitem(last=False)
        return found

    def hold(self, workspace: Workspace, path: Path, subject: "Subject") -> None:
        """Take over a subject of a run."""
        key = (path, (workspace.roots, _state(path)))
        with self._lock:
            self._kept[key] = subject
            self._kept.move_to_end(key)

    def hold_profile(self, workspace: Workspace, path: Path, profile: "Profile") -> None:
        """Take over a run that was read already."""
        key = (path, (workspace.roots, _state(path)))
        with self._lock:
            if key in self._kept:
                return
        self.hold(workspace, path, _shut_in(workspace, path, profile))


def _state(path: Path) -> Hashable:
    """What changes when a run does."""
    for file in (path / RUN_FILE, path):
        try:
            state = file.stat()
        except OSError:
            continue
        return (state.st_mtime_ns, state.st_size)
    return None


def _shut_in(workspace: Workspace, path: Path, profile: "Profile | None" = None) -> "Subject":
    """A run whose analysis reads no file outside of the workspace, whatever its frames name."""
    # What reads and analyses takes half a second to import.
    from scopelight.analysis.subject import Subject  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    return Subject(
        path,
        partial(open_profile, path) if profile is None else lambda: profile,
        lambda opened: line_options(opened, *workspace.roots, may_read=workspace.holds),
    )
