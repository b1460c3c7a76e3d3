"""Files below a folder: as deep as log directories go, through links, and never without an end."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import attrs

MOST_DEPTH: Final = 16
MOST_FOLDERS: Final = 20_000
"""That are looked into: who names the root of a disk waits seconds, not hours."""


@attrs.define
class Looked:
    """What a search did not see: ``closed`` are folders that this user may not read; ``is_partial`` says that there
    were more folders than are looked into, or deeper ones."""

    closed: list[str] = attrs.Factory(list)
    is_partial: bool = False


def files_below(
    path: Path,
    endings: str | tuple[str, ...],
    looked: Looked | None = None,
    *,
    depth: int = MOST_DEPTH,
    folders: int = MOST_FOLDERS,
    passes_over: Callable[[str], bool] = lambda _: False,
) -> Iterator[Path]:
    """Files whose names end so, those of the upper folders first.

    Folders whose names ``passes_over`` says are not looked into; those that go away meanwhile, as a job deletes them,
    are left out. No folder is looked into twice, so links may lead in circles; a folder that a link leads to is known
    by its own name where that is below ``path`` as well.
    """
    looked = looked or Looked()
    seen: set[tuple[int, int]] = set()
    waiting: deque[tuple[str, int]] = deque([(os.fspath(path), 0)])
    links: deque[tuple[str, int]] = deque()
    while waiting or links:
        folder, level = waiting.popleft() if waiting else links.popleft()
        try:
            status = os.stat(folder)  # noqa: PTH116 (of many thousands)
            identity = (status.st_dev, status.st_ino)
            if identity in seen:
                continue
            if len(seen) == folders:
                looked.is_partial = True
                return
            seen.add(identity)
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda each: each.name)
        except OSError as error:
            if isinstance(error, PermissionError):
                looked.closed.append(folder)
            continue
        for entry in listed:
            if not _is_folder(entry):
                if entry.name.endswith(endings):
                    yield Path(entry.path)
            elif passes_over(entry.name):
                continue
            elif level == depth:
                looked.is_partial = True
            else:
                (links if entry.is_symlink() else waiting).append((entry.path, level + 1))


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
