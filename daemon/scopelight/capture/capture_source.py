"""Where runs come from: a capture source takes a profile and leaves a run directory."""

from typing import Protocol

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory


@attrs.frozen
class CaptureResult:
    """``exit_code`` is what the command should end with; ``failure`` the sentence that says why nothing was
    captured."""

    run: RunDirectory
    exit_code: int
    failure: str | None = None


class CaptureSource(Protocol):
    """Anything that yields a run directory: a launched script, a profiler server, a file."""

    def capture(self) -> CaptureResult:
        """Capture, and return when the source has ended. Raises `CaptureFailure` before anything was started."""
        ...
