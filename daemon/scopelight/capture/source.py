"""What every source of captures can be asked, whether it starts a job, joins one that runs, or reads a file."""

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.findings import Finding

Capabilities_co = TypeVar("Capabilities_co", covariant=True)
CaptureSpec_contra = TypeVar("CaptureSpec_contra", contravariant=True)
MonitorSpec_contra = TypeVar("MonitorSpec_contra", contravariant=True)
Reading_co = TypeVar("Reading_co", covariant=True)


@attrs.frozen
class Captured:
    """What a capture left: a run, None where nothing came to be kept; and what of it is missing, with the reasons.

    ``exit_code`` is the command's, None where all went well: a script's own where it ended with one. ``failure`` is
    the sentence that says why nothing was captured of a job that was followed.
    """

    run: RunDirectory | None
    problems: tuple[Finding, ...] = ()
    exit_code: int | None = None
    was_cancelled: bool = False
    failure: str | None = None


class CaptureSource(Protocol, Generic[Capabilities_co, CaptureSpec_contra, MonitorSpec_contra, Reading_co]):
    """One way to come by the profile of a job."""

    def probe(self) -> Capabilities_co:
        """What can be done, found out without disturbing the job."""

    def capture(self, spec: CaptureSpec_contra) -> Captured:
        """Capture as ``spec`` says. Raises `CaptureFailure` where nothing was begun."""

    def monitor(self, spec: MonitorSpec_contra) -> Iterable[Reading_co]:
        """How the job does, a reading after the other."""

    def cancel(self) -> None:
        """End what another thread waits for: what has come by then is kept."""
