"""Stand-ins for the compiler for TPUs: they answer what a real one once said of recorded programs, or misbehave."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from made import scripts
from scopelight.capture.tpu_compiler.environment import CompilerEnvironment

STAND_IN = Path(scripts.__file__).with_name("recorded_compiler.py")


def stand_in(folder: Path, **orders: str) -> CompilerEnvironment:
    """An environment in ``folder`` whose interpreter is a stand-in.

    ``orders`` say by the name of a jitted function how it misbehaves the first time that it compiles it: ``die``,
    ``hang``, ``grow`` or ``babble``; with ``refuse`` it refuses it each time.
    """
    return _made(CompilerEnvironment(folder / "tpu-compiler"), orders)


def stand_in_of_user(cache: Path, **orders: str) -> dict[str, str]:
    """What a user's environment has to say so that a stand-in in the folder ``cache`` is the user's compiler."""
    variables = {"XDG_CACHE_HOME": str(cache)}
    _made(CompilerEnvironment.of_user(variables), orders)
    return variables


def _made(environment: CompilerEnvironment, orders: Mapping[str, str]) -> CompilerEnvironment:
    place = environment.folder
    (place / "bin").mkdir(parents=True)
    (place / "orders.json").write_text(json.dumps(orders))
    environment.python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STAND_IN}" "{place}"\n')
    environment.python.chmod(0o755)
    (place / "ready.json").write_text("{}\n")
    return environment
