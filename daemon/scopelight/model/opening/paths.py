"""Which files a path stands for: a profile, compiled programs alone, or memory alone."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo.reader import PROGRAM_NAMES, is_hlo_file
from scopelight.formats.hlo_text.recognise import is_hlo_text
from scopelight.formats.mapped import special_file
from scopelight.formats.pprof.recognise import is_pprof_file
from scopelight.model.run.lookup import run_at

_HEAD_BYTES = 256
"""Enough to see how a file begins."""
_XSPACE = ".xplane.pb"
_CHROME_TRACES = (".trace.json.gz", ".trace.json", "trace.json.gz", "trace.json")
_PART = re.compile(r"\.part\d+$")


def find_xspaces(path: Path) -> tuple[list[Path], list[Finding]]:
    """The XSpace files that a path stands for: itself, or those of the newest session below a directory.

    Also a warning where a directory holds several sessions. Raises `FormatError` where there is none.
    """
    check_path(path)
    if path.is_file():
        return [path], []
    sessions: dict[Path, list[Path]] = {}
    closed: list[str] = []
    for file in sorted(_files_below(path, _XSPACE, closed)):
        sessions.setdefault(file.parent, []).append(file)
    if not sessions:
        run = run_at(path)
        if run is not None and run.failure:
            raise FormatError("its capture failed: {failure}", path=path, failure=run.failure.removesuffix("."))
        if closed:
            raise FormatError(
                "the directory holds no profile (no *.xplane.pb file) that this user may read: {folder} is closed",
                path=path,
                folder=closed[0],
            )
        if trace := min(_files_below(path, _CHROME_TRACES), default=None):
            raise FormatError(
                "the directory holds traces of Chrome or Perfetto ({trace}) and no *.xplane.pb file, which is needed",
                path=path,
                trace=trace.name,
            )
        raise FormatError("the directory holds no profile (no *.xplane.pb file)", path=path)
    newest = max(sessions, key=lambda folder: (folder.name, folder))
    if len(sessions) == 1:
        return sessions[newest], []
    return sessions[newest], [warning("several-sessions", path=str(path), sessions=len(sessions), newest=str(newest))]


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
    found = [each for each in sorted(_files_below(path, PROGRAM_NAMES)) if each.is_file()]
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
    return path.is_dir() and not any(_files_below(path, _XSPACE))


def _files_below(path: Path, endings: str | tuple[str, ...], closed: list[str] | None = None) -> Iterator[Path]:
    """Files whose names end so. Folders that go away meanwhile, as a job deletes them, are left out.

    Those that this user may not read are left out as well, and appended to ``closed``.
    """

    def note(error: OSError) -> None:
        if closed is not None and isinstance(error, PermissionError):
            closed.append(str(error.filename))

    for folder, _, names in os.walk(path, onerror=note):
        yield from (Path(folder, name) for name in names if name.endswith(endings))


def host_name(file: Path) -> str:
    """The host that a file comes from: what one process recorded in parts, ``HOST.part2.xplane.pb``, is of one host."""
    return _PART.sub("", file.name.removesuffix(_XSPACE))
