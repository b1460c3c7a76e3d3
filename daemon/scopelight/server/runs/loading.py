"""From a path to a run whose lines can be shown: read and analysed off the event loop, kept while nothing changed."""

import asyncio
import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.analysis.options import Scope
from scopelight.analysis.records import LinesRecord
from scopelight.formats.errors import FormatError
from scopelight.formats.heap import give_back_freed_memory
from scopelight.model.run.measuring import Measuring, present_measuring
from scopelight.model.run.names import RUN_FILE
from scopelight.report.language import text
from scopelight.server.work import Cache, Key, Work
from scopelight.source.drift.document import RunDrift
from scopelight.source.notebooks.matching import RunCells
from scopelight.source.recorded import RecordedSources
from scopelight.views.needs import Need

if TYPE_CHECKING:
    from scopelight.analysis.totals.frames import LineOptions
    from scopelight.model.profile import Profile
    from scopelight.model.run.information import RunInformation

# What reads and analyses takes a second to import: functions here import it when they run, in a worker.

MOST_READINGS = 3
"""Of a run whose files change while they are read."""
MANY_EXECUTIONS = 1_000_000
"""Reading more of them takes memory that is worth giving back before anything else is done."""


@attrs.frozen(eq=False, repr=False)
class LoadedRun:
    """A run with its hot lines. ``path`` is as the client named it, ``title`` what people call it."""

    path: Path
    title: str
    script: str | None
    """Whole path of the script, where the capture names it."""
    record: LinesRecord
    """Where nothing ran, its lines are those of the compiled programs, without time."""
    never_ran: bool
    """Whether it holds compiled programs of which nothing ran."""
    has: tuple[Need, ...]
    """What views need that it has."""
    memory_alone: bool
    """Whether it holds memory and no trace."""
    sources: RecordedSources
    drift: RunDrift
    cells: RunCells
    identity: Hashable
    """Equal while the files of the run are the same."""
    measuring: Measuring | None
    """How far its capture was with measuring the machine, which changes without its files where that is killed."""
    roots: tuple[Path, ...]
    scope: Scope
    """What of it ``record`` looks at."""
    source_folders: Mapping[str, str]
    """Where recorded folders are here, as the user said."""
    options: "LineOptions"
    capture: "RunInformation | None" = None
    """What was known of its capture when it was read."""
    out_of_memory: str | None = None
    """A sentence where the script ended for want of memory."""
    without_room: str | None = None
    """What is said of a prediction that does not fit."""

    @property
    def key(self) -> Hashable:
        """Equal for what was made of the same files, as seen from the same folders and in the same scope."""
        return (self.identity, self.measuring, self.roots, self.scope, _hashable(self.source_folders))

    def row(self, file: str, line: int) -> int | None:
        """The row of the record that a file's recorded line has; None where it took no time."""
        wanted = (file, line)
        return next((row for row, each in enumerate(self.record.lines) if (each.file, each.line) == wanted), None)

    def recorded_text(self, row: int) -> str | None:
        """Text of a row's line as it was recorded, stripped; None where the run keeps no copy of its file."""
        line = self.record.lines[row]
        lines = self.sources.lines(line.file) if line.file is not None else None
        return lines[line.line - 1].strip() if lines is not None and 1 <= line.line <= len(lines) else None


class Loading:
    """Loads runs. What was read once is not read again while the files of the run are the same.

    ``source_folders`` is the setting: where recorded folders are here.
    """

    def __init__(self, work: Work, cache: Cache) -> None:
        self.source_folders: Mapping[str, str] = {}
        self._work = work
        self._cache = cache

    async def load(self, path: Path, roots: Sequence[Path], scope: Scope, report: Callable[[str], None]) -> LoadedRun:
        """The run at ``path`` as seen from the folders ``roots`` in a scope; ``report`` is told each stage.

        Raises `FormatError` with a sentence where the path cannot be read as a profile, or is written all the while.
        """
        identity = await self.identify(path)
        for _ in range(MOST_READINGS):
            is_compiled = await self._work.quick(_is_compiled)
            report(text("reading" if is_compiled else "compiling the reader (once)"))
            profile = await self.profile(path, identity)
            report(text("analysing"))
            folders = self.source_folders
            analyse = functools.partial(_analyse, path, profile, tuple(roots), scope, identity, folders)
            key = Key("run", path, (identity, _measuring(profile), tuple(roots), scope, _hashable(folders)))
            run = await self._cache.get(key, analyse)
            before, identity = identity, await self.identify(path)
            if identity == before:
                return run
            # A capture wrote to it meanwhile: what was read may be of neither state.
            self._cache.forget(path, "profile", "run")
        raise FormatError("it is being written: open it again when its capture is done", path=path)

    async def identify(self, path: Path) -> Hashable:
        """What is equal only while the files of a path are the same. Raises `FormatError` where it cannot be read."""
        return await self._work.quick(functools.partial(_identity, path))

    async def profile(self, path: Path, identity: Hashable) -> "Profile":
        """The profile of a path whose files were `identify`-ed. Raises `FormatError` where it cannot be read."""
        return await self._cache.get(Key("profile", path, identity), functools.partial(_read, path))

    async def warm(self) -> None:
        """Import what reads and analyses before the first run is opened."""
        await asyncio.shield(asyncio.wrap_future(self._work.start("long", _warm)))


def _identity(path: Path) -> tuple[Hashable, ...]:
    """What tells whether the files that a path stands for are still the same."""
    from scopelight.model.opening.paths import find_profile_files  # noqa: PLC0415
    from scopelight.model.run.lookup import run_folder  # noqa: PLC0415

    run = path.parent if path.name == RUN_FILE else path
    try:
        found = find_profile_files(run)
        # A session lies in its run.
        folder = run_folder(run) or (run_folder(found[0]) if found else None) or run
        files = [*found, folder / RUN_FILE, folder / "sources" / "index.json"]
        return (path, *((str(file), *_stamp(file)) for file in files))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError("it cannot be read ({reason})", path=path, reason=reason) from error


def _stamp(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return (0, -1)
    return (status.st_mtime_ns, status.st_size)


def _hashable(folders: Mapping[str, str]) -> Hashable:
    return tuple(sorted(folders.items()))


def _is_compiled() -> bool:
    # Importing what reads makes its kernels known.
    from scopelight.formats.kernels import are_compiled  # noqa: PLC0415

    return are_compiled()


def _read(path: Path) -> "Profile":
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415

    try:
        profile = open_profile(path)
    except OSError as error:
        raise FormatError("it cannot be read ({reason})", path=path, reason=error.strerror or error) from error
    if len(profile.executions) > MANY_EXECUTIONS:
        # What is made of it next would come beside what reading it took.
        give_back_freed_memory()
    return profile


def _measuring(profile: "Profile") -> Measuring | None:
    return None if profile.capture is None else present_measuring(profile.capture)


def _analyse(
    path: Path,
    profile: "Profile",
    roots: tuple[Path, ...],
    scope: Scope,
    identity: Hashable,
    source_folders: Mapping[str, str],
) -> LoadedRun:
    from scopelight.analysis.lines.hot_lines import hot_lines  # noqa: PLC0415
    from scopelight.analysis.lines.static import static_lines  # noqa: PLC0415
    from scopelight.model.profile import recorded_paths  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415
    from scopelight.views.needs import has  # noqa: PLC0415

    options = line_options(profile, *roots, source_folders=source_folders)
    never_ran = not len(profile.executions) and len(profile.modules) > 0
    record = static_lines(profile, options) if never_ran else hot_lines(profile, options, scope)
    capture = profile.capture
    sources = RecordedSources(capture.sources, capture.cwd, options.renamed) if capture else RecordedSources()
    cells = RunCells(recorded_paths(profile), options.renamed, sources.lines)
    script = Path(capture.cwd or "", capture.script) if capture is not None and capture.script else None
    return LoadedRun(
        path=path,
        title=script.name if script is not None else path.name,
        script=str(script) if script is not None else None,
        record=record,
        never_ran=never_ran,
        has=has(profile),
        memory_alone=profile.is_memory_alone,
        sources=sources,
        drift=RunDrift(record.lines, sources, cells, _files_of_ops(profile, options)),
        cells=cells,
        identity=identity,
        measuring=_measuring(profile),
        roots=roots,
        scope=scope,
        source_folders=source_folders,
        options=options,
        capture=capture,
        out_of_memory=_out_of_memory(profile, options),
        without_room=_without_room(profile, options, str(script) if script is not None else None),
    )


def _files_of_ops(profile: "Profile", options: "LineOptions") -> Sequence[str]:
    """The user's files that ops are from which a TPU was asked about, whether they were compiled or not."""
    compatibility = profile.compatibility()
    if compatibility is None:
        return ()
    from scopelight.analysis.totals.frames import UserFrames  # noqa: PLC0415

    frames = UserFrames(options, profile.capture.cwd if profile.capture is not None else None)
    files = (frames.file(each.path) for each in compatibility.frames)
    return list(dict.fromkeys(each.file for each in files if each.file is not None and each.in_root))


def _out_of_memory(profile: "Profile", options: "LineOptions") -> str | None:
    if profile.capture is None or profile.capture.out_of_memory is None:
        return None
    from scopelight.analysis.memory.out_of_memory.exhaustion import out_of_memory  # noqa: PLC0415
    from scopelight.report.findings.worded import joined, of_severity  # noqa: PLC0415

    record = out_of_memory(profile, options)
    return joined(of_severity(record.findings, "error"), "editor") if record is not None else None


def _without_room(profile: "Profile", options: "LineOptions", script: str | None) -> str | None:
    if profile.prediction is None:
        return None
    from scopelight.analysis.memory.fit.view import fit  # noqa: PLC0415 (few runs are predicted)
    from scopelight.analysis.memory.options import FitOptions  # noqa: PLC0415
    from scopelight.analysis.subject import Subject  # noqa: PLC0415
    from scopelight.report.run.without_room import without_room_text  # noqa: PLC0415

    if not any(each.outcome == "no-room" for each in profile.prediction.programs):
        return None
    return without_room_text(fit(Subject.of(profile, options), FitOptions()), script)


def _warm() -> None:
    from scopelight.source import workspace  # noqa: F401, PLC0415
