"""What the compiler is asked, and what it answers."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.model.run.prediction import PredictedMemory, PredictedOutcome

_FORM: Final = 2
"""Of a verdict: one of an older form says less."""


@attrs.frozen
class CompileTask:
    """A program on its way to a TPU: the module's file and what jax said beside it."""

    program: int
    name: str
    module: Path
    partitions: int
    propagates_to_parameters: tuple[bool, ...]
    propagates_to_results: tuple[bool, ...]
    uses_shardy: bool = True
    options: Mapping[str, str] = attrs.Factory(dict)

    def key(self, topology: Topology, compiler: str) -> str:
        """What a verdict depends on, as a digest; ``compiler`` names its version."""
        said = [
            _FORM,
            topology.libtpu_name,
            topology.arguments,
            self.partitions,
            self.propagates_to_parameters,
            self.propagates_to_results,
            self.uses_shardy,
            sorted(self.options.items()),
            compiler,
        ]
        digest = hashlib.sha256(json.dumps(said).encode())
        digest.update(self.module.read_bytes())
        return digest.hexdigest()[:32]

    def request(self, topology: Topology, dump: Path) -> dict[str, Any]:
        """The line of JSON that `compiling` reads."""
        return {
            "task": self.program,
            "name": self.name,
            "module": str(self.module),
            "topology": topology.libtpu_name,
            "arguments": topology.arguments,
            "partitions": self.partitions,
            "propagates_to_parameters": list(self.propagates_to_parameters),
            "propagates_to_results": list(self.propagates_to_results),
            "uses_shardy": self.uses_shardy,
            "options": dict(self.options),
            "dump": str(dump),
        }


@attrs.frozen
class Verdict:
    """What became of a task. ``file`` is the compiled program, or what there was of it when it did not fit.

    Shardings are those of parameters and results, as base64 of XLA's OpSharding; None where the program runs on one
    device. ``message`` is the compiler's. ``stated_bytes`` and ``costs`` are what a script finds that asks its compiled
    program: sizes in memory, and counts of work, by XLA's names.
    """

    outcome: PredictedOutcome
    message: str = ""
    kind: str = ""
    seconds: float | None = None
    parameter_shardings: tuple[str, ...] | None = None
    result_shardings: tuple[str, ...] | None = None
    memory: PredictedMemory | None = None
    stated_bytes: Mapping[str, int] | None = None
    costs: Mapping[str, float] | None = None
    file: Path | None = None

    @property
    def is_lasting(self) -> bool:
        """Whether the same question has the same answer tomorrow."""
        return self.outcome in ("compiled", "no-room", "refused", "too-few-devices")
