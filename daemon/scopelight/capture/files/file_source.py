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
from scopelight.findings import Finding
from scopelight.formats.errors import FormatError
from scopelight.model.opening.hosts import read_hosts
from scopelight.model.opening.paths import find_xspaces
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.information import CaptureWindow, RecordedSource, RunInformation
from scopelight.model.run.left_out import left_out


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
        """Its files. Raises `CaptureFailure` where there is none that can be read."""
        return self._read()[0]

    def _read(self) -> tuple[tuple[Path, ...], tuple[Finding, ...]]:
        """Its files, and what the run that they are of has left out. Raises as `probe`."""
        try:
            files = tuple(find_xspaces(self.path)[0])
            # A compiled program alone can be opened too, and is no trace.
            read_hosts(files)
            return files, left_out(open_profile(self.path).capture)
        except FormatError as error:
            raise CaptureFailure(error.sentence, Exit.NO_ADDRESS) from error

    def capture(self, spec: FileSpec) -> Captured:
        """Copy it into a run. Raises `CaptureFailure` where it cannot be read, or the run not be written."""
        files, findings = self._read()
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
        window = CaptureWindow(kind="file", folder=str(self.path))
        publish(run, processes, Sources(spec.cwd, made), window, warnings=findings, copies=True)
        return Captured(run)

    def monitor(self, spec: FileSpec) -> Iterable[Never]:  # noqa: ARG002
        """Nothing: what it is of has ended."""
        return ()

    def cancel(self) -> None:
        """It takes no time that would be worth it."""
