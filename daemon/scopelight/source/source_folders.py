"""Source folders: where the folders of files that were recorded elsewhere are on this machine, as the user says."""

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import attrs

from scopelight.source.matching import MOST_FILES, path_parts, shared_suffix

_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules"))


@attrs.frozen(slots=True)
class FoundFolder:
    """``folder`` is here what ``recorded`` was where the run was made: the file is in both at the same place."""

    recorded: str
    folder: str


def located_file(file: str, folders: Mapping[str, str]) -> str | None:
    """Where a recorded file is by ``folders`` (recorded folder to the one here); None where it is in none of them.

    Of recorded folders that hold one another the innermost in which the file is here counts.
    """
    parts = _whole_parts(file)
    held = ((_whole_parts(recorded), here) for recorded, here in folders.items())
    holding = [(root, here) for root, here in held if len(root) < len(parts) and parts[: len(root)] == root]
    for root, here in sorted(holding, key=lambda each: len(each[0]), reverse=True):
        rest = parts[len(root) :]
        candidate = Path(here, *rest)
        # A recorded path is any text at all.
        if ".." not in rest and candidate.is_file():
            return str(candidate)
    return None


def find_folder(file: str, folder: Path) -> FoundFolder | None:
    """Which recorded folder ``folder``, or one in it, stands for: that of the file in it whose path agrees with the
    recorded one from the end as far as possible. None where the file is not in it, or several are equally likely.
    """
    pure = _pure(file)
    parts = path_parts(file)
    best: list[tuple[tuple[int, int], Path, int]] = []
    for candidate in _named(folder, parts[-1] if parts else ""):
        inner = candidate.relative_to(folder).parts
        shared = shared_suffix(parts, inner)
        rank = (shared, -len(inner))
        if best and rank < best[0][0]:
            continue
        if best and rank > best[0][0]:
            best.clear()
        best.append((rank, candidate, shared))
    if len(best) != 1:
        return None
    _, candidate, shared = best[0]
    return FoundFolder(str(pure.parents[shared - 1]), str(candidate.parents[shared - 1]))


def _named(folder: Path, name: str) -> Iterator[Path]:
    """The files of that name in a folder, hidden folders left out."""
    count = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [each for each in sorted(folders) if not each.startswith(".") and each not in _SKIPPED_FOLDERS]
        count += len(names)
        if name in names:
            yield Path(path, name)
        if count > MOST_FILES:
            return


def _pure(file: str) -> PurePath:
    return PureWindowsPath(file) if "\\" in file else PurePosixPath(posixpath.normpath(file))


def _whole_parts(path: str) -> Sequence[str]:
    """The parts of a path, what it begins with among them: a drive in small letters."""
    pure = _pure(path)
    return [part for part in (pure.anchor.replace("\\", "/").lower(), *path_parts(str(pure))) if part]
