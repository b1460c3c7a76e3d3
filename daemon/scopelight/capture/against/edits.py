"""Which files were edited while rounds of a script were made: rounds of one side are to be of one text."""

import os
from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.capture.against.repository import Repository
from scopelight.formats.lenient import read_object
from scopelight.model.run.experiment import SideName
from scopelight.model.run.names import SOURCES_FOLDER, SOURCES_INDEX

_Stamp = tuple[int, int]


@attrs.define
class Edits:
    """What the runs of either side recorded of their files, and what the working tree of ``repository`` was at first.

    The earlier side starts in ``worktree``.
    """

    repository: Repository
    worktree: Path
    _recorded: dict[SideName, dict[str, str]] = attrs.field(factory=dict, init=False)
    """Digests by recorded path, of the first run that has it."""
    _named: set[str] = attrs.field(factory=set, init=False)
    _written: list[str] = attrs.field(factory=list, init=False)
    _stamps: dict[str, _Stamp] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stamps = _stamps(self.repository)

    def since_first(self, side: SideName, run: Path, cwd: Path) -> Sequence[str]:
        """The files that ``run``, which started in ``cwd``, has otherwise than an earlier run of its side.

        Those that the script itself may write at every start, which git does not track, do not count: see `beside`.
        """
        known = self._recorded.setdefault(side, {})
        edited = list[str]()
        for path, digest in _digests(run).items():
            name = self._name(path, cwd)
            self._named.add(name)
            if known.setdefault(path, digest) != digest:
                (edited if name in self._stamps else self._written).append(name)
        return edited

    def beside(self) -> Sequence[str]:
        """Files that changed since the start, and of which no run says what was in them, or which the script writes.

        A module without any array, or a file of settings, may well be what a script does.
        """
        now = _stamps(self.repository)
        changed = {name for name in self._stamps.keys() | now.keys() if self._stamps.get(name) != now.get(name)}
        return sorted((changed - self._named) | {*self._written})

    def _name(self, path: str, cwd: Path) -> str:
        """A file as the repository calls it."""
        file = Path(os.path.realpath(cwd / path))
        for top in (self.worktree, self.repository.top):
            if top in file.parents:
                return file.relative_to(top).as_posix()
        return path


def _digests(run: Path) -> dict[str, str]:
    try:
        index = read_object((run / SOURCES_FOLDER / SOURCES_INDEX).read_bytes()) or {}
    except OSError:
        return {}
    return {path: str(each.get("sha256")) for path, each in index.items() if isinstance(each, dict)}


def _stamps(repository: Repository) -> dict[str, _Stamp]:
    found = {}
    for name in repository.sources():
        try:
            status = (repository.top / name).stat()
        except OSError:
            continue
        found[name] = (status.st_mtime_ns, status.st_size)
    return found
