"""How far a capture is with measuring what the machine can do at most whose CPU is the device."""

from typing import Literal

from scopelight.model.run.capture_process import has_gone as process_has_gone
from scopelight.model.run.information import RunInformation

Measuring = Literal["measured", "not-to-be-measured", "measured-at-the-end", "being-measured", "not-measured"]


def measuring_of(run: RunInformation, *, has_gone: bool) -> Measuring:
    """As ``run.json`` says, unless the capture's process ``has_gone`` before it was done (`capture_process`)."""
    if run.calibration is not None:
        return "measured"
    if not run.calibrates:
        return "not-to-be-measured"
    if has_gone:
        return "not-measured"
    if run.progress is not None and run.progress.stage == "calibrating":
        return "being-measured"
    return "measured-at-the-end" if run.exit_code is None else "not-measured"


def present_measuring(run: RunInformation) -> Measuring:
    """`measuring_of` a run, with its capture's process as it is now."""
    return measuring_of(run, has_gone=process_has_gone(run))
