"""Files recorded elsewhere: which file of this workspace a recorded path means, by what their ends share."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

import attrs

from scopelight.findings import Finding, warning

MOST_FILES = 200_000
"""Files looked at under the roots; a workspace with more is matched as far as that."""

_SKIPPED_FOLDERS = frozenset(
    (
        *("site-packages", "dist-packages", "node_modules", "__pycache__", "venv", "virtualenv"),
        *("build", "dist"),
    )
)
_LIBRARY_FOLDERS = frozenset(("site-packages", "dist-packages"))


@attrs.frozen(slots=True)
class Matches:
    """``renamed``: recorded path to the file here. ``ambiguous``: recorded path to all files it may mean."""

    renamed: Mapping[str, str]
    ambiguous: Mapping[str, tuple[str, ...]]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One for each ambiguous path."""
        return tuple(
            warning("path-ambiguous", recorded=recorded, files=files) for recorded, files in self.ambiguous.items()
        )


def match_paths(recorded: Iterable[str], roots: Sequence[Path], can_be: Callable[[str, str], bool]) -> Matches:
    """Match ``recorded`` paths that do not exist on this machine to files under ``roots``.

    The file that shares the most trailing parts with the recorded path is chosen; none where several share as
    many, or two recorded paths match one file equally well. Every project has its ``train.py``: where only the name
    is shared, ``can_be`` says whether the second of two paths may hold what was recorded of the first. Paths inside
    an installed package are not matched. The roots are only walked when a path needs it.
    """
    missing = [path for path in dict.fromkeys(recorded) if _needs_match(path)]
    if not missing:
        return Matches({}, {})
    files = _python_files(roots)
    claims: dict[str, list[tuple[int, str]]] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for path in missing:
        parts = path_parts(path)
        candidates = files.get(parts[-1], ())
        shared = {file: shared_suffix(parts, path_parts(file)) for file in candidates}
        if len(parts) > 1 and max(shared.values(), default=0) == 1:
            shared = {file: count for file, count in shared.items() if can_be(path, file)}
        most = max(shared.values(), default=0)
        best = [file for file, count in shared.items() if count == most]
        if len(best) == 1:
            claims.setdefault(best[0], []).append((most, path))
        elif best:
            ambiguous[path] = tuple(sorted(best))
    renamed: dict[str, str] = {}
    for file, claimants in claims.items():
        most = max(count for count, _ in claimants)
        strongest = [path for count, path in claimants if count == most]
        if len(strongest) == 1:
            renamed[strongest[0]] = file
        else:
            ambiguous.update((path, (file,)) for path in strongest)
    return Matches(renamed, ambiguous)


def _needs_match(path: str) -> bool:
    parts = path_parts(path)
    if not parts or path.startswith("<") or not _LIBRARY_FOLDERS.isdisjoint(parts):
        return False
    # A recorded path is any text at all, a null byte included.
    return "\0" not in path and not os.path.isfile(path)  # noqa: PTH113


def path_parts(path: str) -> tuple[str, ...]:
    """The parts of a recorded path, of whatever machine, without what it begins with."""
    pure = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    return tuple(part for part in pure.parts if part not in (pure.anchor, "."))


def shared_suffix(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many parts at their ends two paths share."""
    count = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def _python_files(roots: Sequence[Path]) -> Mapping[str, list[str]]:
    """Files named ``*.py`` under the roots, by name; hidden folders and environments are left out."""
    found: dict[str, dict[str, None]] = {}
    count = 0
    for root in roots:
        for folder, folders, names in os.walk(root):
            if "pyvenv.cfg" in names:
                folders.clear()
                continue
            folders[:] = [name for name in sorted(folders) if not name.startswith(".") and name not in _SKIPPED_FOLDERS]
            count += len(names)
            for name in names:
                if name.endswith(".py"):
                    found.setdefault(name, {})[f"{folder.rstrip(os.sep)}{os.sep}{name}"] = None
            if count > MOST_FILES:
                break
    return {name: list(files) for name, files in found.items()}
