"""Files that a script writes: what it writes of zeros is no result, and may have taken the place of one."""

import os
import sys
import tempfile

MOST = 20
_OTHERS = (f"{os.sep}__pycache__{os.sep}", f"{os.sep}.cache{os.sep}", f"{os.sep}site-packages{os.sep}")
"""Folders in which libraries keep what can be had again."""


class WrittenFiles:
    """``paths`` are those that were opened for writing by Python, each once, the first of them.

    Those below ``own`` are ours.
    """

    def __init__(self, own: str) -> None:
        self.paths: list[str] = []
        self._folder = os.getcwd() + os.sep  # noqa: PTH109 (pathlib is slow to import here)
        self._own = own + os.sep
        self._ignored = ("/dev/", "/proc/", "/sys/", sys.prefix + os.sep, tempfile.gettempdir() + os.sep)

    def listen(self) -> None:
        """Hear of files from now on, as long as the process lives."""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event != "open" or len(self.paths) >= MOST:
            return
        path, mode = arguments[0], arguments[1]
        if not isinstance(path, (str, os.PathLike)) or not isinstance(mode, str) or not set(mode) & set("wax+"):
            return
        file = os.path.abspath(os.fspath(path))  # noqa: PTH100 (pathlib is slow, and not for a hook)
        if (
            isinstance(file, str)
            and file not in self.paths
            and not file.startswith(self._own)
            and (file.startswith(self._folder) or not file.startswith(self._ignored))
            and not any(each in file for each in _OTHERS)
        ):
            self.paths.append(file)
