"""Verdicts of ops that were compiled alone, kept in the user's cache folder: what was asked once is not asked again."""

import contextlib
import hashlib
import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import attrs

from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.formats.lenient import read_object
from scopelight.model.run.prediction import PredictedOutcome

MOST_OPS = 20_000
"""Of one file: the first that were asked go first."""
_LASTING = frozenset(("compiled", "refused", "not-lowered"))
"""Outcomes that the same op has again. What fits into memory is left out: it is no question of the op."""


@attrs.frozen
class KnownOps:
    """A file with those of one TPU, one compiler and one jax, by their keys."""

    file: Path

    @classmethod
    def of(cls, folder: Path, topology: Topology, compiler: str, versions: Mapping[str, str]) -> "KnownOps":
        """Those in a folder; ``compiler`` names its version, ``versions`` are those of the script's packages."""
        said = [topology.libtpu_name, topology.arguments, compiler, versions.get("jax"), versions.get("jaxlib")]
        return cls(folder / f"{hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]}.json")

    def read(self) -> Mapping[str, Verdict]:
        """What is known; nothing where there is no such file, or none that can be read."""
        try:
            fields = read_object(self.file.read_bytes()) or {}
        except OSError:
            return {}
        return {
            key: Verdict(told[0], told[1], told[2])
            for key, told in fields.items()
            if isinstance(told, list)
            and len(told) == 3
            and all(isinstance(each, str) for each in told)
            and told[0] in get_args(PredictedOutcome)
        }

    def keep(self, verdicts: Mapping[str, Verdict]) -> None:
        """Add what has become known. What cannot be kept is asked again the next time."""
        lasting = {key: each for key, each in verdicts.items() if each.outcome in _LASTING}
        known = dict(self.read())
        if not lasting.keys() - known.keys():
            return
        both = list({**known, **lasting}.items())[-MOST_OPS:]
        partial = self.file.with_name(f"{self.file.name}.{uuid.uuid4().hex}.partial")
        text = json.dumps({key: [each.outcome, each.message, each.kind] for key, each in both})
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            try:
                partial.write_text(text + "\n", encoding="utf-8")
                partial.replace(self.file)
            finally:
                partial.unlink(missing_ok=True)
