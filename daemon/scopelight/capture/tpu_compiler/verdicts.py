"""Verdicts of programs, kept in the user's cache folder: what was compiled once is not compiled again."""

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

import attrs

from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.prediction import PredictedMemory, PredictedOutcome

MOST_BYTES: Final = 2 << 30
"""What was looked at longest ago goes first."""
_VERDICT = "verdict.json"
_PROGRAM = "program.hlo.pb"


@attrs.frozen
class Verdicts:
    """A folder with one for each key: the verdict, and the program where there is one."""

    folder: Path
    most_bytes: int = MOST_BYTES

    def of(self, key: str, file: Path, compile_it: Callable[[Path], Verdict]) -> Verdict:
        """The verdict of a key, and its program as ``file``; ``compile_it`` makes both where they are not known.

        What cannot be kept here is compiled again the next time.
        """
        known = self._known(key, file)
        if known is not None:
            return known
        verdict = compile_it(file)
        if verdict.is_lasting:
            with contextlib.suppress(OSError):
                self._keep(key, verdict)
        return verdict

    def _keep(self, key: str, verdict: Verdict) -> None:
        partial = self.folder / f"{key}.{uuid.uuid4().hex}.partial"
        try:
            partial.mkdir(parents=True)
            if verdict.file is not None:
                shutil.copyfile(verdict.file, partial / _PROGRAM)
            fields = {**attrs.asdict(verdict), "file": None}
            (partial / _VERDICT).write_text(json.dumps(fields) + "\n", encoding="utf-8")
            place = self.folder / key
            # What is there could not be read, or another process has made it meanwhile, which says the same.
            shutil.rmtree(place, ignore_errors=True)
            partial.rename(place)
            self._make_room()
        finally:
            shutil.rmtree(partial, ignore_errors=True)

    def _known(self, key: str, file: Path) -> Verdict | None:
        place = self.folder / key
        try:
            fields = read_object((place / _VERDICT).read_bytes()) or {}
            memory = from_json(fields.pop("memory", None), PredictedMemory)
            verdict = from_json(fields, Verdict)
            if verdict is None or verdict.outcome not in get_args(PredictedOutcome):
                return None
            has_program = (place / _PROGRAM).is_file()
            if has_program:
                shutil.copyfile(place / _PROGRAM, file)
            os.utime(place)
        except OSError:
            return None
        return attrs.evolve(verdict, memory=memory, file=file if has_program else None)

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
