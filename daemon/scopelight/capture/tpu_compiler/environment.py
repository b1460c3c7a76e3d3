"""The environment that compiles for TPUs: Python packages in a folder of this user's, made once and removable.

It is Scopelight's own: the user's environment never has libtpu, which takes over every jax that finds it.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import attrs

from scopelight.capture.calibrating.calibrator import cache_folder

PACKAGES = ("jax==0.10.2", "jaxlib==0.10.2", "libtpu==0.0.51")
"""Compiles what jax 0.6 to 0.12 lowered; measured with each."""
DOWNLOAD_BYTES = 320_000_000
"""libtpu 205 MB, jaxlib 85 MB, numpy, scipy and jax the rest."""
DISK_BYTES = 1_250_000_000
_READY = "ready.json"
_LEAST_VERSION = (3, 11)
_LONGEST_LINE = 300


class InstallError(Exception):
    """The environment could not be made; ``sentence`` says why, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@attrs.frozen
class CompilerEnvironment:
    """``folder`` holds it, whole or not at all."""

    folder: Path

    @classmethod
    def of_user(cls, environment: Mapping[str, str] = os.environ) -> "CompilerEnvironment":
        """That of this user: another set of packages is another folder."""
        versions = "-".join(each.partition("==")[2] for each in PACKAGES)
        return cls(cache_folder(environment) / f"tpu-compiler-{versions}")

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    @property
    def is_there(self) -> bool:
        """Whether it is complete."""
        return (self.folder / _READY).is_file() and self.python.exists()

    @property
    def bytes(self) -> int:
        """What it takes on the disk."""
        total = 0
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with suppress(OSError):
                    total += os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118 (thousands of files)
        return total

    def why_impossible(self) -> str | None:
        """A sentence where no compiler for TPUs exists for this machine; None where one does."""
        if sys.platform != "linux" or platform.machine() not in ("x86_64", "AMD64"):
            return (
                "The compiler for TPUs (libtpu) exists for Linux on x86-64 alone: run this on such a machine, over"
                " Remote-SSH or in a container."
            )
        return None

    def remove(self) -> None:
        """Give its disk space back; what it is needed for makes it again."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def make(self, say: Callable[[str], None], is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Download and install it. Raises `InstallError`; a second try begins anew.

        ``say`` is told each step of pip's.
        """
        partial = self.folder.with_name(f"{self.folder.name}.{uuid.uuid4().hex}.partial")
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.folder.parent).free
            if free < DISK_BYTES:
                raise InstallError(
                    f"The compiler for TPUs takes {DISK_BYTES / 1e9:.1f} GB in {self.folder.parent}, and"
                    f" {free / 1e9:.1f} GB are free there: free some, or set XDG_CACHE_HOME to another disk."
                )
            say("making an environment of its own")
            _run([sys.executable, "-m", "venv", str(partial)], lambda _: None, is_cancelled)
            pip = [str(partial / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
            _run([*pip, "--no-input", "--progress-bar", "off", *PACKAGES], say, is_cancelled)
            (partial / _READY).write_text(json.dumps({"packages": PACKAGES}) + "\n", encoding="utf-8")
            self.remove()
            partial.rename(self.folder)
        except OSError as error:
            raise InstallError(
                f"The compiler for TPUs could not be installed in {self.folder.parent}"
                f" ({error.strerror or error}): mend that and try again."
            ) from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _run(command: Sequence[str], say: Callable[[str], None], is_cancelled: Callable[[], bool]) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    )
    assert process.stdout is not None
    last = ""
    try:
        for line in process.stdout:
            if is_cancelled():
                raise InstallError("The download was cancelled: nothing of it was kept.")
            if line.strip():
                last = line.strip()[:_LONGEST_LINE]
                say(last)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    if process.returncode:
        raise InstallError(
            f"The compiler for TPUs could not be installed ({last.removeprefix('ERROR: ').rstrip('.')}): look at the"
            " network, or at what pip is configured with, and try again."
        )
