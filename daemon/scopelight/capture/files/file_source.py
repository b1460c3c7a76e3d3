"""A profile that somebody else has made: taken into a run, with the sources that it names as far as they are here."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Never

import attrs

from scopelight import __version__
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.publishing.publish import publish
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.source import Captured
from scopelight.formats.errors import FormatError
from scopelight.model.opening.paths import find_xspaces
from scopelight.model.run.information import CaptureWindow, RecordedSource, RunInformation


@attrs.frozen
class FileSpec:
    """The run is made in the directory ``out``; None: in a new one below ``cwd``."""

    cwd: Path
    out: Path | None = None


@attrs.frozen
class FileSource:
    """The profile at ``path``: a file, or the newest session of a log directory."""

    path: Path

    def probe(self) -> tuple[Path, ...]:
        """Its files. Raises `CaptureFailure` where there is none."""
        try:
            return tuple(find_xspaces(self.path)[0])
        except FormatError as error:
            raise CaptureFailure(f"{error.sentence}.", Exit.NO_ADDRESS) from error

    def capture(self, spec: FileSpec) -> Captured:
        """Copy it into a run. Raises `CaptureFailure` where it cannot be read, or the run not be written."""
        files = self.probe()
        made = max(each.stat().st_mtime for each in files)
        information = RunInformation(
            state="running",
            created=datetime.fromtimestamp(made).astimezone().isoformat(timespec="seconds"),
            versions={"scopelight": __version__},
            script=self.path.name,
            source=RecordedSource(kind="file"),
            watches_memory=False,
            records_host=False,
            reads_resources=False,
            calibrates=False,
            has_ended=True,
        )
        run = RunDirectory.create(spec.out, spec.cwd, self.path.name.partition(".")[0], information)
        processes = {each.name.removesuffix(".xplane.pb"): [each] for each in files}
        # What was edited after it was made is not what ran.
        publish(run, processes, Sources(spec.cwd, made), CaptureWindow(kind="file", folder=str(self.path)), copies=True)
        return Captured(run)

    def monitor(self, spec: FileSpec) -> Iterable[Never]:  # noqa: ARG002
        """Nothing: what it is of has ended."""
        return ()

    def cancel(self) -> None:
        """It takes no time that would be worth it."""
