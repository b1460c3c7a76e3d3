"""Flags of libtpu that the user's environment has: the compiler is given them, and says which it does not take."""

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from scopelight.capture.tpu_compiler.topologies import Topology

VARIABLE: Final = "LIBTPU_INIT_ARGS"
COMPILING: Final = Path(__file__).with_name("compiling.py")
_OTHERS = ("JAX_", "XLA_", "TPU_", "LIBTPU_", "PYTHON")
_REFUSED = re.compile(r"^ERROR: (.+)$", re.MULTILINE)
_MOST_SECONDS = 60.0


def flags_of(environment: Mapping[str, str]) -> str:
    """Those of a user's environment, with one space between two; empty where there are none."""
    return " ".join(environment.get(VARIABLE, "").split())


def flags_for_jax(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Those of libtpu that are given to jax, which aborts for each that it does not know."""
    return tuple(each for each in environment.get("XLA_FLAGS", "").split() if each.startswith("--xla_tpu_"))


def compiler_variables(environment: Mapping[str, str], flags: str) -> dict[str, str]:
    """The compiler's environment: without what would change what jax does there, or have it look for another TPU."""
    kept = {name: value for name, value in environment.items() if not name.startswith(_OTHERS)}
    told = {VARIABLE: flags} if flags else {}
    return {**kept, **told, "PYTHONNOUSERSITE": "1", "JAX_ENABLE_COMPILATION_CACHE": "false"}


def refusal(python: Path, topology: Topology, environment: Mapping[str, str], flags: str) -> str | None:
    """What libtpu says of flags that it does not take, at which it ends its process; None where it takes them.

    ``python`` is the compiler's interpreter.
    """
    request = {"task": 0, "name": "", "topology": topology.libtpu_name, "arguments": topology.arguments}
    with tempfile.TemporaryFile() as said:
        try:
            ended = subprocess.run(
                [str(python), str(COMPILING)],
                input=json.dumps(request).encode() + b"\n",
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=compiler_variables(environment, flags),
                timeout=_MOST_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            # Whatever it is, it is not about flags, and is said where something is compiled.
            return None
        said.seek(0)
        found = _REFUSED.search(said.read().decode(errors="replace"))
    return found[1].strip() if ended.returncode and found is not None else None
