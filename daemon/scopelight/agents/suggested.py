"""What is suggested where no run answers: to profile a script, one that is there."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from scopelight.agents.tool import call

if TYPE_CHECKING:
    from scopelight.agents.folders import Folders

_USUAL: Final = ("train.py", "main.py")
_WITHOUT_SCRIPT: Final = "{tool}, of a script by its path: the workspace's folder itself holds none"


def scripts_in(folders: "Folders") -> Iterator[str]:
    """The scripts in the workspace's folders, as they are asked for: those of runs first, then the usual ones."""
    known = [run.script for run in folders.runs() if run.script is not None and not run.is_module]
    here = [each for root in folders.roots for each in sorted(root.glob("*.py")) if each.is_file()]
    here.sort(key=lambda each: _USUAL.index(each.name) if each.name in _USUAL else len(_USUAL))
    there = [name for name in known if any((root / name).is_file() for root in folders.roots)]
    for name in dict.fromkeys([*there, *(each.name for each in here)]):
        if any(folders.holds(root / name) for root in folders.roots):
            yield name


def call_to_profile(folders: "Folders", tool: str = "profile_script", **arguments: str) -> str:
    """The call that profiles a script of the workspace; without one what is to be called, in words."""
    script = next(scripts_in(folders), None)
    return _WITHOUT_SCRIPT.format(tool=tool) if script is None else call(tool, script=script, **arguments)
