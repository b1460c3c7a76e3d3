"""The git repository around a script: what a revision is called, and what of the folder is in no revision."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.capture.failures import CaptureFailure, Exit

_GIT_SECONDS = 120
"""Of a command: a large repository takes long to check out."""
SHORT = 8
"""Digits of a commit that are shown."""


@attrs.frozen
class Revision:
    """A commit: as it was asked for, in full, and the first line of its message."""

    asked: str
    commit: str
    subject: str

    @property
    def short(self) -> str:
        """Its first digits."""
        return self.commit[:SHORT]

    def __str__(self) -> str:
        return f"{self.short} ({self.subject})" if self.subject else self.short


@attrs.frozen
class Repository:
    """The working tree that holds a folder; ``top`` is its root."""

    top: Path

    @classmethod
    def around(cls, folder: Path) -> "Repository":
        """That of a folder. Raises `CaptureFailure` where there is none, or no git."""
        try:
            top = _git(folder, "rev-parse", "--show-toplevel").strip()
        except FileNotFoundError as error:
            raise CaptureFailure(
                "git was not found on the PATH: --against takes another revision from it.", Exit.REVISION_MISSING
            ) from error
        except subprocess.SubprocessError as error:
            raise CaptureFailure(
                f"{folder} is in no git repository: --against takes another revision of the script from one.",
                Exit.REVISION_MISSING,
            ) from error
        return cls(Path(top))

    def git(self, *arguments: str) -> str:
        """What git says to a command. Raises `subprocess.SubprocessError`."""
        return _git(self.top, *arguments)

    def revision(self, asked: str) -> Revision:
        """The commit that a name means. Raises `CaptureFailure` where it means none."""
        try:
            if asked.startswith("-"):
                raise subprocess.SubprocessError
            commit = self.git("rev-parse", "--verify", "--quiet", f"{asked}^{{commit}}").strip()
            subject = self.git("log", "-1", "--format=%s", commit).strip()
        except subprocess.SubprocessError as error:
            raise CaptureFailure(
                f"{asked} names no commit of {self.top}: give a branch, a tag or a commit.", Exit.REVISION_MISSING
            ) from error
        return Revision(asked, commit, subject)

    def has(self, revision: Revision, path: Path) -> bool:
        """Whether a revision holds a file or folder, by its path below ``top``."""
        try:
            self.git("cat-file", "-e", f"{revision.commit}:{_in_git(path)}")
        except subprocess.SubprocessError:
            return False
        return True

    def text(self, revision: Revision, path: Path) -> str | None:
        """A file of a revision; None where it has none."""
        try:
            return self.git("show", f"{revision.commit}:{_in_git(path)}")
        except (subprocess.SubprocessError, UnicodeDecodeError):
            return None

    def changed(self) -> Sequence[str]:
        """Tracked files that differ from the commit that is checked out."""
        return self._list("diff", "--name-only", "-z", "HEAD")

    def files(self, revision: Revision) -> Sequence[str]:
        """All files of a revision."""
        return self._list("ls-tree", "-r", "--name-only", "-z", revision.commit)

    def sources(self) -> Sequence[str]:
        """What git tracks of the working tree, and modules that it could."""
        return (*self._list("ls-files", "-z"), *self._list("ls-files", "-o", "--exclude-standard", "-z", "*.py"))

    def untracked(self) -> Sequence[str]:
        """What git does not track or is told to ignore, folders as one."""
        wide = ("ls-files", "--others", "--directory", "--no-empty-directory", "-z")
        return self._list(*wide)

    def submodules(self, revision: Revision) -> Sequence[str]:
        """The submodules of a revision, by their paths."""
        rows = self._list("ls-tree", "-r", "-z", revision.commit)
        return [row.partition("\t")[2] for row in rows if row.startswith("160000 ")]

    def _list(self, *arguments: str) -> Sequence[str]:
        try:
            return [each for each in self.git(*arguments).split("\0") if each]
        except (subprocess.SubprocessError, UnicodeDecodeError):
            return []


def _in_git(path: Path) -> str:
    return "" if path == Path() else path.as_posix()


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=_GIT_SECONDS, check=True
    ).stdout
