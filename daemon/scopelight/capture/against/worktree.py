"""A revision of a repository checked out elsewhere, for as long as it is needed."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scopelight.capture.against.repository import Repository, Revision
from scopelight.capture.failures import CaptureFailure, Exit

# Hooks of the repository are for its own folder: some install or build something at every checkout.
_WITHOUT_HOOKS = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


@contextmanager
def checked_out(repository: Repository, revision: Revision) -> Iterator[Path]:
    """A folder outside the repository that holds a revision while the block runs; nothing of it stays.

    Raises `CaptureFailure` where it cannot be made.
    """
    place = Path(tempfile.mkdtemp(prefix="scopelight-against-")).resolve()
    # Frames of both sides are below a folder of one name.
    folder = place / repository.top.name
    try:
        try:
            repository.git(*_WITHOUT_HOOKS, "worktree", "add", "--detach", "--force", str(folder), revision.commit)
        except (OSError, subprocess.SubprocessError) as error:
            raise CaptureFailure(
                f"git could not check out {revision} in {folder} ({_said(error)}).", Exit.REVISION_MISSING
            ) from error
        yield folder
    finally:
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
