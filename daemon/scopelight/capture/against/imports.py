"""Where the interpreter imports the user's own packages from, and how they come from another folder instead.

A package that is installed to be edited is imported from the working tree, whatever the folder is that a script starts
in: its folder in the worktree has to stand before it.
"""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

_QUESTION = """
import json, sys
packages = {}
for name, module in list(sys.modules.items()):
    if name.startswith("__editable__"):
        packages.update({str(key): str(value) for key, value in getattr(module, "MAPPING", {}).items()})
print(json.dumps({"path": [each for each in sys.path if each], "packages": packages}))
"""


@attrs.frozen
class OwnImports:
    """Folders of a repository that modules are imported from wherever a script starts; ``installed`` are those that
    an installation names, not the environment."""

    folders: tuple[Path, ...]
    installed: tuple[Path, ...]


def own_imports(python: str, top: Path, environment: Mapping[str, str]) -> OwnImports:
    """Those of an interpreter that lie below ``top``."""
    named = _below(top, [each for each in environment.get("PYTHONPATH", "").split(os.pathsep) if each])
    asked = {name: value for name, value in environment.items() if name != "PYTHONPATH"}
    try:
        answer = subprocess.run(
            # From where nothing of the repository is imported.
            [python, "-c", _QUESTION],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env=asked,
            cwd=Path(os.sep).resolve(),
        )
        told = json.loads(answer.stdout.splitlines()[-1])
        places = [*told["path"], *(str(Path(each).parent) for each in told["packages"].values())]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, IndexError, AttributeError):
        places = []
    # An environment in the repository is of both revisions.
    installed = [each for each in _below(top, places) if not _is_of_environment(each)]
    return OwnImports(tuple(dict.fromkeys((*named, *installed))), tuple(installed))


def moved(environment: Mapping[str, str], imports: OwnImports, top: Path, worktree: Path) -> Mapping[str, str]:
    """The environment in which modules come from the worktree of ``top``, before anything of ``top`` itself."""
    kept = [each for each in environment.get("PYTHONPATH", "").split(os.pathsep) if each]
    others = [each for each in kept if not _below(top, [each])]
    folders = [str(worktree / each.relative_to(top)) for each in imports.folders]
    path = os.pathsep.join([*folders, *others])
    changed = {**environment, "PYTHONPATH": path}
    if not path:
        del changed["PYTHONPATH"]
    return changed


def module_files(module: str, cwd: Path, imports: OwnImports, top: Path) -> list[Path]:
    """Where in the repository a module that is run by its name would be, relative to ``top``, whether it is or not."""
    places = _below(top, [str(cwd), *map(str, imports.folders)])
    within = Path(*module.split("."))
    names = (within.with_name(f"{within.name}.py"), within / "__main__.py")
    return [(place / name).relative_to(top) for place in places for name in names]


def _below(top: Path, places: Sequence[str]) -> list[Path]:
    found = [Path(os.path.realpath(each)) for each in places]
    return [each for each in dict.fromkeys(found) if each == top or top in each.parents]


def _is_of_environment(place: Path) -> bool:
    return any(part in ("site-packages", "dist-packages") for part in place.parts) or place.name.startswith(
        ("python3", "lib-dynload")
    )
