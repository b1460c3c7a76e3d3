"""Which frames of a stack are the user's, and how a file is named.

Nothing here looks at the disk: roots, library folders, renamed files and the text of lines are options.
"""

import posixpath
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from scopelight.analysis.records import FramePlace, place_fields
from scopelight.findings import Finding
from scopelight.program.hlo.frames import Frame, Stack

_LIBRARY_FOLDERS = frozenset(("site-packages", "dist-packages", ".venv", "venv", "virtualenv", ".tox", ".nox"))
_STANDARD_LIBRARY = re.compile(r"(?:^|/)lib(?:64)?/(?:python|pypy)\d[\d.]*t?/|/python\d+/lib/", re.IGNORECASE)
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")


@attrs.frozen(slots=True)
class LineOptions:
    """What the caller knows of the files; all paths absolute.

    ``roots`` are the workspace's folders, the first one first in naming a file that two of them hold.
    ``library_roots`` are folders known to be an environment's or the standard library's, beyond those that
    their names give away. ``renamed`` maps recorded paths to where the files are now. ``findings`` go into
    the record. ``text`` gives a line of a file, named as `SourceFile.file` names it, as it was when the profile was
    made, else as it is; None where there is none. Keys of lines and ops are made of it. ``indented_text`` is the same
    with the indentation, which `text` leaves out.
    """

    roots: tuple[str, ...] = ()
    library_roots: tuple[str, ...] = ()
    renamed: Mapping[str, str] = attrs.field(factory=dict)
    findings: tuple[Finding, ...] = ()
    text: Callable[[str, int], str | None] = attrs.field(default=lambda _file, _line: None, eq=False, repr=False)
    indented_text: Callable[[str, int], str | None] = attrs.field(
        default=lambda _file, _line: None, eq=False, repr=False
    )


@attrs.frozen(slots=True)
class SourceFile:
    """A recorded path, sorted: ``path`` is its name in the record, ``file`` where it is.

    Two roots may hold one relative name: the second that is asked for goes by its whole path.
    """

    path: str | None
    file: str | None
    in_root: bool
    is_library: bool


NO_FILE = SourceFile(path=None, file=None, in_root=False, is_library=False)


class UserFrames:
    """Finds the user frames of stacks; every stack and path is looked at once. Safe to use from several threads."""

    def __init__(self, options: LineOptions, cwd: str | None) -> None:
        self._roots = tuple(_folder(root) for root in options.roots if root)
        self._library_roots = tuple(_folder(root) for root in options.library_roots if root)
        self._renamed = options.renamed
        self._cwd = cwd
        self._files: dict[str, SourceFile] = {}
        self._named: dict[str, str | None] = {}
        """By name in the records the file that has it."""
        self._lock = threading.Lock()
        # Keyed by identity, which is quick; the stacks are kept so that no identity is used twice.
        self._stacks: dict[int, tuple[Stack, Stack]] = {}

    def of(self, stack: Stack) -> Stack:
        """User frames of ``stack``, innermost first, each line once; empty where there is none.

        Frames in a root and outside libraries; where there is none of those, all frames outside libraries.
        """
        known = self._stacks.get(id(stack))
        if known is None:
            known = self._stacks[id(stack)] = (stack, self._find(stack))
        return known[1]

    def every(self, stack: Stack) -> Stack:
        """The user frames of ``stack`` with those that repeat a line: a lambda and the function around it."""
        user = self.of(stack)
        if not user:
            return ()
        in_root = self.file(user[0].path).in_root
        files = ((frame, self.file(frame.path)) for frame in stack)
        return tuple(frame for frame, file in files if not file.is_library and file.in_root == in_root)

    def file_of(self, frame: Frame | None) -> SourceFile:
        """The file of a frame; `NO_FILE` for None."""
        return NO_FILE if frame is None else self.file(frame.path)

    def place(self, frame: Frame) -> FramePlace:
        """Where a frame is, as records say it."""
        file = self.file(frame.path)
        return FramePlace(file.path, file.file, frame.line, frame.function)

    def place_fields(self, frame: Frame | None) -> dict[str, Any]:
        """``path``, ``file`` and ``line`` of a frame as fields of a record, None each where there is none."""
        return place_fields(None if frame is None else self.place(frame))

    def file(self, path: str) -> SourceFile:
        """How the recorded ``path`` is named and whose it is."""
        known = self._files.get(path)
        if known is None:
            found = self._sort(path)
            with self._lock:
                if found.path is not None and self._named.setdefault(found.path, found.file) != found.file:
                    found = attrs.evolve(found, path=found.file)
                known = self._files.setdefault(path, found)
        return known

    def _find(self, stack: Stack) -> Stack:
        outside: dict[tuple[str, int], Frame] = {}
        inside: dict[tuple[str, int], Frame] = {}
        for frame in stack:
            file = self.file(frame.path)
            if file.is_library:
                continue
            outside.setdefault((frame.path, frame.line), frame)
            if file.in_root:
                inside.setdefault((frame.path, frame.line), frame)
        return tuple((inside or outside).values())

    def _sort(self, recorded: str) -> SourceFile:
        if not recorded:
            return NO_FILE
        if recorded.startswith(("<frozen ", "<embedded ")):
            return SourceFile(path=recorded, file=None, in_root=False, is_library=True)
        file = self._renamed.get(recorded, recorded)
        file = whole_path(file, self._cwd)
        place = posixpath.normpath(_slashes(file))
        root = next((root for root in self._roots if place.startswith(root)), None)
        library = max((len(each) for each in self._library_roots if place.startswith(each)), default=0)
        if root is None:
            is_library = library > 0 or looks_like_library(place)
            return SourceFile(path=recorded, file=file, in_root=False, is_library=is_library)
        # A root inside an environment is user code: it was named on purpose.
        nearest = max((each for each in self._roots if place.startswith(each)), key=len)
        is_library = library > len(nearest) or looks_like_library(place[len(nearest) :])
        return SourceFile(path=place[len(root) :], file=file, in_root=True, is_library=is_library)


def whole_path(recorded: str, cwd: str | None) -> str:
    """A recorded path with the folder in front that a relative one was recorded in, where that is known."""
    if not cwd or recorded.startswith(("/", "<")) or _DRIVE.match(recorded):
        return recorded
    return posixpath.join(_slashes(cwd), recorded)


def looks_like_library(path: str) -> bool:
    """Whether a path is one of installed packages or of the standard library, by the names of its folders."""
    return not _LIBRARY_FOLDERS.isdisjoint(path.split("/")[:-1]) or bool(_STANDARD_LIBRARY.search(path))


def _slashes(path: str) -> str:
    return path.replace("\\", "/") if _DRIVE.match(path) else path


def _folder(path: str) -> str:
    return posixpath.normpath(_slashes(path)).rstrip("/") + "/"
