"""Reads all parts that can be read, each as often as it wants to be."""

import time
from typing import Any

from scopelight.capture.resources.part import OnProblem, Part, Parts


class Reader:
    """A part that fails is told of, and left out from then on."""

    def __init__(self, parts: Parts, on_problem: OnProblem) -> None:
        self._on_problem = on_problem
        self._parts: dict[str, tuple[Part, float]] = {}
        self._due: dict[str, float] = {}
        for name, planned in parts.items():
            try:
                self._parts[name] = planned.make(), planned.every_seconds
            except Exception as error:  # A fault of a part must not lose the others.
                if not (planned.may_be_absent and isinstance(error, OSError)):
                    on_problem(name, error)

    def read(self) -> dict[str, Any]:
        """One reading: its time in ns since the epoch, and what the parts say."""
        line: dict[str, Any] = {"time_ns": time.time_ns()}
        now = time.monotonic()
        for name, (part, every_seconds) in list(self._parts.items()):
            if now < self._due.get(name, 0.0):
                continue
            self._due[name] = now + every_seconds
            try:
                said = part.read()
            except Exception as error:
                self._on_problem(name, error)
                part.close()
                del self._parts[name]
                continue
            for field, value in said.items():
                known = line.get(field)
                line[field] = value if known is None else {**known, **value}
        return line

    def close(self) -> None:
        """Close what the parts kept open."""
        for part, _ in self._parts.values():
            part.close()
        self._parts.clear()
