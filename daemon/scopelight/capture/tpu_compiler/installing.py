"""Packages into an environment of their own, by pip: how far it is, and what went wrong, each in a sentence."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

_LOOK_SECONDS = 0.5
_LONGEST_LINE = 300


class InstallError(Exception):
    """It could not be installed; ``sentence`` says why, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def _nothing(*_: object) -> None:
    pass


@attrs.frozen
class Installer:
    """Makes an environment in ``folder``; what pip downloads lies in ``downloads`` meanwhile.

    ``say`` is told what is done, in a few words; where ``is_cancelled`` says so it ends.
    """

    folder: Path
    downloads: Path
    say: Callable[[str], None]
    is_cancelled: Callable[[], bool]

    def install(self, packages: Sequence[str], download_bytes: int) -> None:
        """Install packages, of which about so many bytes are downloaded. Raises `InstallError`, and `OSError`."""
        self.say("making an environment")
        problem = self._run([sys.executable, "-m", "venv", str(self.folder)])
        if problem is not None:
            raise InstallError(
                f"{sys.executable} makes no virtual environment ({problem}): install what it lacks (on Debian"
                " python3-venv), and try again."
            )
        self.downloads.mkdir(exist_ok=True)
        is_downloaded = False
        pip = [str(self.folder / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]

        def tell() -> None:
            taken = bytes_in(self.downloads)
            if taken and not is_downloaded:
                self.say(f"downloading: {min(taken, download_bytes) / 1e6:.0f} of about {download_bytes / 1e6:.0f} MB")

        def hear(line: str) -> None:
            nonlocal is_downloaded
            if line.startswith("Installing collected packages"):
                is_downloaded = True
                self.say("installing what was downloaded")

        problem = self._run([*pip, "--no-input", "--progress-bar", "off", *packages], tell, hear)
        if problem is not None:
            raise InstallError(
                f"The compiler for TPUs could not be downloaded and installed ({problem}): look at the network, or at"
                " what pip is configured with, and try again."
            )

    def _run(
        self, command: Sequence[str], tell: Callable[[], None] = _nothing, hear: Callable[[str], None] = _nothing
    ) -> str | None:
        """Run a command; ``tell`` is called now and then, ``hear`` with its lines.

        Returns what it said last where it failed.
        """
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**environment, "TMPDIR": str(self.downloads)} if self.downloads.is_dir() else environment,
            # An interrupt of the terminal is ours: `is_cancelled` says it.
            start_new_session=True,
        )
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(process, lines), daemon=True).start()
        last, is_read = "", False
        try:
            while not is_read:
                if self.is_cancelled():
                    raise InstallError("The download was cancelled: nothing of it was kept.")
                try:
                    line = lines.get(timeout=_LOOK_SECONDS)
                except queue.Empty:
                    tell()
                    continue
                if line is None:
                    is_read = True
                else:
                    hear(line)
                    last = _telling(line, last)
        finally:
            if process.poll() is None and not is_read:
                process.kill()
            process.wait()
        return last.removeprefix("ERROR: ").rstrip(".") if process.returncode else None


def _telling(line: str, last: str) -> str:
    """The line that says most of a failure: an error that was said stays."""
    plain = line.strip()[:_LONGEST_LINE]
    return last if not plain or (last.startswith("ERROR") and not plain.startswith("ERROR")) else plain


def _read(process: subprocess.Popen[str], lines: "queue.SimpleQueue[str | None]") -> None:
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def bytes_in(folder: Path) -> int:
    """What the files below a folder take."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 (thousands of files)
    return total
