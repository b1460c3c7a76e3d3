"""The file of samples: a line of JSON for each reading, written at once and whole."""

import json
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scopelight.model.run.names import HOST_SAMPLES_FILE

_ENCODER = json.JSONEncoder(separators=(",", ":"))
"""Made once: making it takes longer than most lines."""


class Samples:
    """The file in the folder of a run. Whatever is killed, no line that was written is lost.

    Raises `OSError` where there can be none.
    """

    def __init__(self, folder: Path) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        self._descriptor = os.open(folder / HOST_SAMPLES_FILE, flags, 0o644)
        self._lock = threading.Lock()
        self.problem: str | None = None
        """Why no more can be written."""

    def write(self, line: Mapping[str, Any]) -> None:
        """Add a line."""
        data = _ENCODER.encode(line).encode() + b"\n"
        with self._lock:
            if self._descriptor < 0 or self.problem is not None:
                return
            try:
                os.write(self._descriptor, data)
            except OSError as error:
                self.problem = error.strerror or str(error)

    def write_problem(self, part: str, error: Exception) -> None:
        """Add that a part cannot be read."""
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        self.write({"time_ns": time.time_ns(), "problem": {"part": part, "text": reason}})

    def close(self) -> None:
        """Write no more."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1
