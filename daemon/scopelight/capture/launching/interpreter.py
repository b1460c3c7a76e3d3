"""Which Python runs the user's script, and whether it has jax."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import attrs

from scopelight.capture.failures import CaptureFailure, Exit

ORDER = (
    "the --python option; the active virtual environment (VIRTUAL_ENV); the interpreter that runs Scopelight,"
    " if it has jax; python3 on the PATH"
)
LEAST_VERSION = (3, 10)

_QUESTION = """
import json, sys, types
first, module = sys.argv[1:]
sys.path[0] = first
def asked(finder, name, where):
    try:
        return finder.find_spec(name, where)
    except Exception:
        return None
def found(name):
    where = None
    for part in range(1, name.count(".") + 2):
        package = ".".join(name.split(".")[:part])
        # Editable installations have finders of their own.
        spec = next(filter(None, (asked(each, package, where) for each in sys.meta_path)), None)
        if spec is None:
            return False
        where = spec.submodule_search_locations
        # Namespaces look for the package before them among the imported: something stands there in its place.
        sys.modules.setdefault(package, types.ModuleType(package)).__path__ = where = list(where or [])
    return True
print(json.dumps({"version": sys.version_info[:3], "jax": found("jax"), "module": found(module) if module else True}))
"""


@attrs.frozen
class InterpreterFacts:
    """What an interpreter said of itself."""

    version: tuple[int, ...]
    has_jax: bool
    has_module: bool


def choose_interpreter(asked: str | None, environment: Mapping[str, str]) -> str:
    """The interpreter to use, in the order that `ORDER` states.

    Raises `CaptureFailure` where the one asked for does not exist, or none does.
    """
    if asked is not None:
        found = shutil.which(asked, path=environment.get("PATH"))
        if found is None:
            raise CaptureFailure(
                f"There is no Python interpreter at {asked}: give the path of one with --python.",
                Exit.INTERPRETER_MISSING,
            )
        return found
    active = environment.get("VIRTUAL_ENV")
    if active:
        candidate = Path(active) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if candidate.exists():
            return str(candidate)
    if importlib.util.find_spec("jax") is not None:
        return sys.executable
    found = shutil.which("python3", path=environment.get("PATH"))
    if found is None:
        raise CaptureFailure(
            "No Python interpreter was found on the PATH: name one with --python.", Exit.INTERPRETER_MISSING
        )
    return found


def ask_interpreter(python: str, first_path: Path, module: str | None) -> InterpreterFacts:
    """Its version, and whether it finds jax and the module; neither is imported.

    ``first_path`` is what the script will have as ``sys.path[0]``. Raises `CaptureFailure` where the interpreter
    does not run or is too old.
    """
    try:
        answer = subprocess.run(
            [python, "-c", _QUESTION, str(first_path), module or ""],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        answered = json.loads(answer.stdout.splitlines()[-1])
        facts = InterpreterFacts(tuple(answered["version"]), answered["jax"], answered["module"])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError, KeyError) as error:
        raise CaptureFailure(
            f"{python} does not run as a Python interpreter: name another one with --python.",
            Exit.INTERPRETER_MISSING,
        ) from error
    if facts.version < LEAST_VERSION:
        raise CaptureFailure(
            f"{python} is Python {facts.version[0]}.{facts.version[1]}; Scopelight profiles scripts on Python"
            " 3.10 and later.",
            Exit.INTERPRETER_MISSING,
        )
    return facts
