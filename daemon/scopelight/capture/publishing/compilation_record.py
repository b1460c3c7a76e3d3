"""What jax compiled, written into the run directory as it is told: nothing is lost where the script ends early."""

import json
from contextlib import suppress
from typing import Any

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.model.run.names import COMPILATIONS_FILE

_FACTS = ("ended_ns", "seconds", "program", "trace_seconds", "lower_seconds", "explanation")
_FRAME = ("path", "line", "function")


class CompilationRecord:
    """Writes a line for each program."""

    def __init__(self, run: RunDirectory) -> None:
        self._file = run.path / COMPILATIONS_FILE

    def hear(self, message: dict[str, Any]) -> None:
        """A program came back from the compiler."""
        facts = {name: message.get(name) for name in _FACTS}
        facts["stack"] = [dict(zip(_FRAME, each, strict=True)) for each in message.get("stack", ())]
        # The capture is worth more than this.
        with suppress(OSError, ValueError, TypeError), self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")
