"""Which files a path stands for: a profile, compiled programs alone, or memory alone."""

import contextlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from scopelight.findings import Finding, note, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo.reader import PROGRAM_NAMES, is_hlo_file
from scopelight.formats.hlo_text.recognise import is_hlo_text
from scopelight.formats.mapped import special_file
from scopelight.formats.pprof.recognise import is_pprof_file
from scopelight.model.opening.below import Looked, files_below
from scopelight.model.opening.sessions import XSPACE, Capture, captures_of, has_siblings, session_of
from scopelight.model.run.lookup import run_at

_HEAD_BYTES = 256
"""Enough to see how a file begins."""
_CHROME_TRACES = (".trace.json.gz", ".trace.json", "trace.json.gz", "trace.json")


def find_xspaces(path: Path) -> tuple[list[Path], list[Finding]]:
    """The XSpace files that a path stands for: itself, or those of the newest capture below a directory.

    A directory that is a session stands for its capture, sessions beside it that belong to that included. Also a
    warning where a directory holds several captures, and a note where one is of several sessions. Raises `FormatError`
    where there is none.
    """
    check_path(path)
    if path.is_file():
        return [path], []
    looked = Looked()
    captures = captures_below(path, looked)
    if not captures:
        _refuse(path, looked)
    newest = captures[0]
    findings = []
    if len(captures) > 1:
        newest_name = str(newest.newest.folder)
        findings.append(warning("several-sessions", path=str(path), sessions=len(captures), newest=newest_name))
    if looked.is_partial:
        findings.append(warning("folder-seen-in-part", path=str(path)))
    if len(newest.sessions) > 1:
        folders = tuple(each.folder.name for each in reversed(newest.sessions))
        findings.append(note("sessions-joined", folders=folders))
    return newest.files, findings


def captures_below(path: Path, looked: Looked | None = None) -> list[Capture[Path]]:
    """The captures below a directory, the newest first; of a directory that is a session, the one that it is of."""
    by_folder: dict[Path, list[Path]] = {}
    for file in files_below(path, XSPACE, looked):
        by_folder.setdefault(file.parent, []).append(file)
    own = None
    # The name of the current directory is not in its path.
    if path in by_folder and has_siblings(path.absolute()):
        own = path.absolute()
        by_folder[own] = [own / file.name for file in by_folder.pop(path)]
        for file in files_below(own.parent, XSPACE, depth=1):
            if file.parent not in (own, own.parent):
                by_folder.setdefault(file.parent, []).append(file)
    captures = _captures(by_folder)
    if own is None:
        return captures
    return [each for each in captures if any(session.folder == own for session in each.sessions)]


def captures_of_files(files: Iterable[Path]) -> list[Capture[Path]]:
    """XSpace files by captures, the newest first."""
    by_folder: dict[Path, list[Path]] = {}
    for file in files:
        by_folder.setdefault(file.parent, []).append(file)
    return _captures(by_folder)


def _captures(by_folder: Mapping[Path, Sequence[Path]]) -> list[Capture[Path]]:
    return captures_of(session_of(each, files, _modified_seconds(files)) for each, files in by_folder.items())


def _modified_seconds(files: Iterable[Path]) -> float:
    modified = [0.0]
    for file in files:
        with contextlib.suppress(OSError):
            modified.append(file.stat().st_mtime)
    return max(modified)


def _refuse(path: Path, looked: Looked) -> NoReturn:
    """Say why a directory without a profile is none. Raises `FormatError`."""
    run = run_at(path)
    if run is not None and run.failure:
        raise FormatError("its capture failed: {failure}", path=path, failure=run.failure.removesuffix("."))
    if looked.closed:
        raise FormatError(
            "the directory holds no profile (no *.xplane.pb file) that this user may read: {folder} is closed",
            path=path,
            folder=looked.closed[0],
        )
    if trace := min(files_below(path, _CHROME_TRACES), default=None):
        raise FormatError(
            "the directory holds traces of Chrome or Perfetto ({trace}) and no *.xplane.pb file, which is needed",
            path=path,
            trace=trace.name,
        )
    if looked.is_partial:
        raise FormatError(
            "no profile (no *.xplane.pb file) was found in it, and it has more folders than are looked into: name one"
            " further down",
            path=path,
        )
    raise FormatError("the directory holds no profile (no *.xplane.pb file)", path=path)


def check_path(path: Path) -> None:
    """Raise `FormatError` where a path is nothing that could be read: missing, closed, a pipe, a socket, a device."""
    try:
        mode = path.stat().st_mode
        if meaning := special_file(mode):
            raise FormatError(meaning, path=path)
        if stat.S_ISDIR(mode):
            os.scandir(path).close()
    except (FileNotFoundError, NotADirectoryError):
        raise FormatError("there is no such file or directory", path=path) from None
    except PermissionError:
        raise FormatError("this user may not read it", path=path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise FormatError("it cannot be opened ({reason})", path=path, reason=reason) from None


def find_programs(path: Path) -> list[Path]:
    """The compiled programs below a directory that holds no profile: what XLA dumps, or was put together by hand.

    Of a dump those after all optimizations: what is compiled from the others is not what they say.
    """
    if not _is_folder_without_trace(path):
        return []
    found = [each for each in sorted(files_below(path, PROGRAM_NAMES)) if each.is_file()]
    optimized = [each for each in found if ".before_optimizations." not in each.name]
    return optimized or found


def find_profile_files(path: Path) -> list[Path]:
    """The files that a path stands for: compiled programs, XSpace files or a snapshot; none of a run without a trace.

    Raises as `find_xspaces` does.
    """
    if is_memory_alone(path):
        return [path] if path.is_file() else []
    return find_programs(path) or find_xspaces(path)[0]


def is_memory_alone(path: Path) -> bool:
    """Whether a path holds memory and no trace: a snapshot, or a run whose script ended before a trace was saved."""
    if is_pprof_file(path):
        return True
    if not _is_folder_without_trace(path):
        return False
    from scopelight.model.memory.snapshots import snapshots_of_run  # noqa: PLC0415 (few paths have no trace)

    run = run_at(path)
    return run is not None and (run.out_of_memory is not None or len(snapshots_of_run(run)) > 0)


def is_program(path: Path) -> bool:
    """Whether a path is compiled programs alone, of which nothing ran."""
    return is_text_of_program(path) or is_hlo_file(path) or bool(find_programs(path))


def is_text_of_program(path: Path) -> bool:
    """Whether a file is HLO text, whatever it is called."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return is_hlo_text(file.read(_HEAD_BYTES))
    except OSError:
        # What cannot be read is for the readers to say.
        return False


def _is_folder_without_trace(path: Path) -> bool:
    return path.is_dir() and not any(files_below(path, XSPACE))
