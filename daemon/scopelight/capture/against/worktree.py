"""A revision of a repository checked out elsewhere, for as long as it is needed."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scopelight.capture.against.repository import Repository, Revision
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.formats.lenient import read_object
from scopelight.model.run.capture_process import is_alive
from scopelight.model.run.json_files import write_json

_PREFIX = "scopelight-against-"
_MARKER = "made-by.json"
"""Beside a worktree: which process made it, on which machine, of which repository."""
# Hooks of the repository are for its own folder: some install or build something at every checkout.
_WITHOUT_HOOKS = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


@contextmanager
def checked_out(repository: Repository, revision: Revision) -> Iterator[Path]:
    """A folder outside the repository that holds a revision while the block runs; nothing of it stays.

    Raises `CaptureFailure` where it cannot be made.
    """
    remove_left_behind(repository)
    place = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
    # Frames of both sides are below a folder of one name.
    folder = place / repository.top.name
    try:
        _mark(place, repository)
        try:
            repository.git(*_WITHOUT_HOOKS, "worktree", "add", "--detach", "--force", str(folder), revision.commit)
        except (OSError, subprocess.SubprocessError) as error:
            raise CaptureFailure(
                f"git could not check out {revision} in {folder} ({_said(error)}).", Exit.REVISION_MISSING
            ) from error
        yield folder
    finally:
        _remove(place, repository)


def remove_left_behind(repository: Repository) -> None:
    """Remove the worktrees of the repository that were ours and whose processes are gone: they were killed."""
    with suppress(OSError):
        for place in Path(tempfile.gettempdir()).resolve().glob(f"{_PREFIX}*"):
            if _is_left_behind(place, repository):
                _remove(place, repository)


def _mark(place: Path, repository: Repository) -> None:
    write_json(place / _MARKER, {"pid": os.getpid(), "host": socket.gethostname(), "repository": str(repository.top)})


def _is_left_behind(place: Path, repository: Repository) -> bool:
    try:
        if place.is_symlink() or place.stat().st_uid != os.getuid():
            return False
        marks = read_object((place / _MARKER).read_bytes()) or {}
    except (OSError, ValueError, AttributeError):
        # Somebody else's, or of a system without users.
        return False
    pid = marks.get("pid")
    is_ours = (marks.get("host"), marks.get("repository")) == (socket.gethostname(), str(repository.top))
    return is_ours and isinstance(pid, int) and not is_alive(pid)


def _remove(place: Path, repository: Repository) -> None:
    folder = place / repository.top.name
    with suppress(OSError, subprocess.SubprocessError):
        repository.git("worktree", "remove", "--force", "--force", str(folder))
    shutil.rmtree(place, ignore_errors=True)
    if not folder.exists():
        # What could not be removed in order is forgotten.
        with suppress(OSError, subprocess.SubprocessError):
            if str(folder) in repository.git("worktree", "list", "--porcelain"):
                repository.git("worktree", "prune")


def _said(error: Exception) -> str:
    said = getattr(error, "stderr", None) or str(error)
    return str(said).strip().splitlines()[-1] if str(said).strip() else type(error).__name__
