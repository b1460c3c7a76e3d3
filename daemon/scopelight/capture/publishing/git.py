"""What git says of the folder that the script runs in."""

import subprocess
from pathlib import Path

from scopelight.model.run.information import GitState


def git_state(folder: Path) -> GitState | None:
    """The commit, and whether tracked files differ from it; None outside a repository or without git."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=5, check=True
        ).stdout.strip()

    try:
        commit = git("rev-parse", "HEAD")
        return GitState(commit, dirty=bool(git("status", "--porcelain", "--untracked-files=no")))
    except (OSError, subprocess.SubprocessError):
        return None
