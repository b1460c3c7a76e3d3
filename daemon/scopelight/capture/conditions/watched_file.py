"""A file that someone edits to have a window captured."""

import difflib
import json
from pathlib import Path

import attrs

from scopelight.findings import Finding, warning

KEYS = ("steps", "seconds", "capture")
MOST_BYTES = 1 << 16


@attrs.frozen
class Asked:
    """A window of so many steps, or seconds; of what the command says where both are None."""

    steps: int | None = None
    seconds: float | None = None


class WatchedFile:
    """Looked at now and then: what it says when it has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._text()

    def look(self) -> Asked | Finding | None:
        """What is asked for, or a warning where that is not clear; None where nothing has changed."""
        text = self._text()
        if text == self._seen:
            return None
        self._seen = text
        if text is None or not text.strip():
            return None
        try:
            return _asked(text)
        except _UnclearError as error:
            return warning("watched-file-unclear", path=str(self._path), problem=str(error))

    def _text(self) -> str | None:
        try:
            with self._path.open(encoding="utf-8", errors="replace") as file:
                return file.read(MOST_BYTES)
        except OSError:
            return None


class _UnclearError(Exception):
    """The sentence says why a text asks for nothing."""


def _asked(text: str) -> Asked | None:
    """The window that a text asks for, None for none. Raises `_UnclearError`."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _UnclearError(f"it is no JSON ({error}).") from error
    if not isinstance(said, dict):
        raise _UnclearError('it is no object, such as {"steps": 5}.')
    for key in said:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, 1, cutoff=0.0)[0]
            raise _UnclearError(f"{key} is unknown, and {near} is nearest to it.")
    steps, seconds = _number(said, "steps", int), _number(said, "seconds", (int, float))
    if steps is not None and seconds is not None:
        raise _UnclearError("steps and seconds exclude each other.")
    if steps is None and seconds is None and said.get("capture") is not True:
        return None
    return Asked(None if steps is None else int(steps), seconds)


def _number(said: dict[str, object], key: str, kind: type | tuple[type, ...]) -> float | None:
    value = said.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, kind) or not value > 0:  # type: ignore[operator]
        raise _UnclearError(f"{key} is no number above 0.")
    return value  # type: ignore[return-value]
