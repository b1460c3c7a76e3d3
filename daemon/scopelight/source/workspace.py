"""The workspace: which folders are the user's, which an environment's, and where a profile's files are."""

import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from scopelight.analysis.lines_frames import LineOptions
from scopelight.model.profile import Profile, recorded_paths
from scopelight.source.matching import match_paths


def line_options(profile: Profile, *folders: Path, script: Path | None = None) -> LineOptions:
    """Options of the line analysis: for the command line of the current folder, for an editor of all its folders.

    The roots are ``folders``, the first one first in naming a file that two of them hold, and the folder of
    ``script``, or of the script that the capture names where it exists on this machine; each as named and with
    symbolic links resolved.
    """
    if script is None and profile.capture is not None and profile.capture.script:
        script = Path(profile.capture.cwd or (folders[0] if folders else Path.cwd()), profile.capture.script)
    roots = [*folders]
    if script is not None and script.parent.is_dir():
        roots.append(script.parent)
    roots = list(dict.fromkeys(path for folder in roots for path in (folder.absolute(), folder.resolve())))
    matches = match_paths(recorded_paths(profile), roots)
    return LineOptions(
        roots=tuple(map(str, roots)),
        library_roots=tuple(map(str, _library_roots(roots))),
        renamed=matches.renamed,
        warnings=matches.warnings,
    )


def _library_roots(roots: Sequence[Path]) -> Iterator[Path]:
    yield from {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    for root in roots:
        # A virtual environment of any name, in the usual place.
        yield from (marker.parent for marker in root.glob("*/pyvenv.cfg"))
