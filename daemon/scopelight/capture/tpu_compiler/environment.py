"""The environment that compiles for TPUs: Python packages in a folder of this user's, made once and removable.

It is Scopelight's own: the user's environment never has libtpu, which takes over every jax that finds it.
"""

import json
import os
import platform
import shutil
import sys
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from scopelight.capture.calibrating.calibrator import cache_folder
from scopelight.capture.tpu_compiler.installing import Installer, InstallError, bytes_in

PACKAGES = ("jax==0.10.2", "jaxlib==0.10.2", "libtpu==0.0.51")
"""Compiles what jax 0.6 to 0.12 lowered; measured with each."""
COMPILER = " ".join(PACKAGES)
"""What is said of it where a verdict is kept."""
DOWNLOAD_BYTES = 346_000_000
"""libtpu 205 MB, jaxlib 85 MB, scipy, numpy and jax the rest."""
DISK_BYTES = 1_250_000_000
_READY = "ready.json"
_DOWNLOADS = "downloads"
PARTIAL = ".partial"


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
    def verdicts(self) -> Path:
        """Where what was compiled is kept: it outlives the environment."""
        return self.folder.with_name("tpu-programs")

    @property
    def is_there(self) -> bool:
        """Whether it is complete."""
        return (self.folder / _READY).is_file() and self.python.exists()

    def remove(self) -> int:
        """Give its disk space back, and that of what was compiled; what it is needed for makes it again.

        Returns how many bytes that was.
        """
        places = [self.folder, self.verdicts, *self.folder.parent.glob(f"{self.folder.name}.*{PARTIAL}")]
        taken = sum(map(bytes_in, places))
        for each in places:
            shutil.rmtree(each, ignore_errors=True)
        return taken

    def make(self, say: Callable[[str], None], is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Download and install it. Raises `InstallError`; a second try begins anew.

        ``say`` is told what is done and how far it is.
        """
        partial = self.folder.with_name(f"{self.folder.name}.{uuid.uuid4().hex}{PARTIAL}")
        try:
            partial.mkdir(parents=True)
            free = shutil.disk_usage(partial).free
            if free < DISK_BYTES:
                raise InstallError(
                    f"The compiler for TPUs takes {DISK_BYTES / 1e9:.1f} GB in {self.folder.parent}, and"
                    f" {free / 1e9:.1f} GB are free there: free some, or set XDG_CACHE_HOME to another disk."
                )
            Installer(partial, partial / _DOWNLOADS, say, is_cancelled).install(PACKAGES, DOWNLOAD_BYTES)
            (partial / _READY).write_text(json.dumps({"packages": PACKAGES}) + "\n", encoding="utf-8")
            # Another process may have made it meanwhile, and be at work with it.
            if not self.is_there:
                shutil.rmtree(self.folder, ignore_errors=True)
                partial.rename(self.folder)
        except OSError as error:
            raise InstallError(
                f"The compiler for TPUs could not be installed in {self.folder.parent}"
                f" ({error.strerror or error}): mend that and try again."
            ) from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def why_impossible() -> str | None:
    """A sentence where no compiler for TPUs exists for this machine; None where one does."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "AMD64"):
        return (
            "The compiler for TPUs (libtpu) exists for Linux on x86-64 alone: run this on such a machine, over"
            " Remote-SSH or in a container."
        )
    return None
