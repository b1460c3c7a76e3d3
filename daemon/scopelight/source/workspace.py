"""The workspace: which folders are the user's, which an environment's, and where a profile's files are."""

import os
import site
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from scopelight.analysis.totals.frames import LineOptions, looks_like_library, whole_path
from scopelight.model.profile import Profile, recorded_frames, recorded_paths
from scopelight.model.run.names import RUNS_FOLDER
from scopelight.source.functions import Functions
from scopelight.source.matching import match_paths
from scopelight.source.notebooks.naming import named_cells
from scopelight.source.reading import read_lines
from scopelight.source.recorded import SourceText
from scopelight.source.source_folders import located_file


def line_options(
    profile: Profile,
    *folders: Path,
    script: Path | None = None,
    source_folders: Mapping[str, str] | None = None,
    may_read: Callable[[Path], bool] | None = None,
) -> LineOptions:
    """Options of the line analysis: for the command line of the current folder, for an editor of all its folders.

    The roots are ``folders``, the first one first in naming a file that two of them hold, and the folder of
    ``script``, or of the script that the capture names where it exists on this machine; each as named and with
    symbolic links resolved. ``source_folders`` say where recorded folders are here; those that hold files of the
    profile, and are no library's, are roots too.

    ``may_read`` says which files and folders may be looked into, all without it: a script elsewhere makes no root then.
    """
    source_folders = source_folders or {}
    cwd = profile.capture.cwd if profile.capture is not None else None
    if script is None and profile.capture is not None and profile.capture.script:
        script = Path(profile.capture.cwd or (folders[0] if folders else Path.cwd()), profile.capture.script)
    roots = [*folders]
    if script is not None and (may_read is None or may_read(script)) and script.parent.is_dir():
        roots.append(script.parent)
    paths = {path: whole_path(path, cwd) for path in recorded_paths(profile)} if source_folders else {}
    roots.extend(_holding(paths.values(), source_folders))
    roots = list(dict.fromkeys(path for folder in roots for path in (folder.absolute(), folder.resolve())))
    located = ((path, located_file(whole, source_folders)) for path, whole in paths.items())
    moved = {**_moved_with_the_run(profile), **{path: file for path, file in located if file is not None}}
    capture = profile.capture
    moved.update(named_cells(recorded_paths(profile), capture.sources if capture else None, cwd, roots))
    missing = (path for path in recorded_paths(profile) if path not in moved)
    matches = match_paths(missing, roots, lambda path, file: _holds_functions(profile, path, Path(file)))
    renamed = {**matches.renamed, **moved}
    text = SourceText(capture.sources if capture else None, capture.cwd if capture else None, renamed, may_read)
    return LineOptions(
        roots=tuple(map(str, roots)),
        library_roots=tuple(map(str, _library_roots(roots))),
        renamed=renamed,
        findings=matches.findings,
        text=text.line,
        indented_text=text.indented,
    )


def _holds_functions(profile: Profile, recorded: str, file: Path) -> bool:
    """Whether all lines that were recorded of a path are, in a file here, in the functions of those names; not so where
    no function is known."""
    places = [
        *((frame.line, frame.function) for frame in recorded_frames(profile) if frame.path == recorded and frame.line),
        *((code.line, code.function) for each in profile.recordings for code in each.codes if code.file == recorded),
    ]
    lines = read_lines(file) if any(function for _, function in places) else None
    functions = Functions.of(lines) if lines is not None else None
    return functions is not None and all(functions.enclose(line, function) for line, function in places)


def _holding(paths: Collection[str], source_folders: Mapping[str, str]) -> Iterator[Path]:
    """The folders here, none of them a library's, that hold one of the recorded files."""
    for recorded, here in source_folders.items():
        if not looks_like_library(f"{here}/") and any(located_file(path, {recorded: here}) for path in paths):
            yield Path(here)


def _moved_with_the_run(profile: Profile) -> dict[str, str]:
    """Where recorded files are now, in a project that was copied or moved together with its runs.

    The original may still be there, in another checkout; the files beside the run are the ones to show.
    """
    capture = profile.capture
    if capture is None or capture.path is None or capture.directory is None:
        return {}
    here, there = capture.path, Path(capture.directory)
    if here == there or {here.parent.name, there.parent.name} != {RUNS_FOLDER}:
        return {}
    project, captured_project = here.parent.parent, there.parent.parent
    moved = {}
    for path in recorded_paths(profile):
        file = Path(capture.cwd or "/", path)
        if "\0" not in path and file.is_relative_to(captured_project):
            candidate = project / file.relative_to(captured_project)
            if candidate.is_file():
                moved[path] = str(candidate)
    return moved


def _library_roots(roots: Sequence[Path]) -> Iterator[Path]:
    # As sysconfig names them, whose import takes longer than a small profile's lines.
    yield Path(os.__file__).parent
    yield from map(Path, site.getsitepackages())
    for root in roots:
        # A virtual environment of any name, in the usual place.
        yield from (marker.parent for marker in root.glob("*/pyvenv.cfg"))
