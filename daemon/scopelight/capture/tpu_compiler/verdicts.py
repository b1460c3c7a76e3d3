"""Verdicts of programs, kept in the user's cache folder: what was compiled once is not compiled again."""

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Final

import attrs

from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.prediction import PredictedMemory

MOST_BYTES: Final = 2 << 30
"""What was looked at longest ago goes first."""
_VERDICT = "verdict.json"
_PROGRAM = "program.hlo.pb"


@attrs.frozen
class Verdicts:
    """A folder with one for each key: the verdict, and the program where there is one."""

    folder: Path
    most_bytes: int = MOST_BYTES

    def of(self, key: str, compile_it: Callable[[Path], Verdict]) -> Verdict:
        """The verdict of a key; ``compile_it`` makes it, and the program's file, where it is not known."""
        known = self._known(key)
        if known is not None:
            return known
        partial = self.folder / f"{key}.{uuid.uuid4().hex}.partial"
        try:
            partial.mkdir(parents=True, exist_ok=True)
            verdict = compile_it(partial / _PROGRAM)
            if not verdict.is_lasting:
                return verdict
            fields = {**attrs.asdict(verdict), "file": None}
            (partial / _VERDICT).write_text(json.dumps(fields) + "\n", encoding="utf-8")
            place = self.folder / key
            with contextlib.suppress(OSError):
                # Another process may have made it meanwhile.
                partial.rename(place)
            self._make_room()
            return self._known(key) or verdict
        except OSError as error:
            return Verdict("crashed", f"{self.folder} cannot be written: {error.strerror or error}")
        finally:
            shutil.rmtree(partial, ignore_errors=True)

    def _known(self, key: str) -> Verdict | None:
        place = self.folder / key
        try:
            fields = read_object((place / _VERDICT).read_bytes()) or {}
            os.utime(place)
        except OSError:
            return None
        memory = from_json(fields.pop("memory", None), PredictedMemory)
        verdict = from_json(fields, Verdict)
        if verdict is None:
            return None
        program = place / _PROGRAM
        return attrs.evolve(verdict, memory=memory, file=program if program.is_file() else None)

    def _make_room(self) -> None:
        places = []
        for each in self.folder.iterdir():
            with contextlib.suppress(OSError):
                size = sum(file.stat().st_size for file in each.iterdir())
                places.append((each.stat().st_mtime, size, each))
        taken = sum(size for _, size, _ in places)
        for _, size, each in sorted(places):
            if taken <= self.most_bytes:
                return
            shutil.rmtree(each, ignore_errors=True)
            taken -= size
