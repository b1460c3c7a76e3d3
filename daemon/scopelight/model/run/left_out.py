"""What of a script a capture left out, or cut, because it was given a limit: every view says it."""

from typing import Final

from scopelight.findings import Finding
from scopelight.model.run.information import RunInformation

_CODES: Final = frozenset(
    {"steps-left-out", "seconds-left-out", "rest-left-out", "limit-reached", "larger-than-asked", "steps-cut"}
)


def left_out(capture: RunInformation | None) -> tuple[Finding, ...]:
    """What is said of a capture's limits; nothing where none was reached."""
    return () if capture is None else tuple(each for each in capture.findings if is_left_out(each))


def is_left_out(finding: Finding) -> bool:
    """Whether a finding says that a capture left something out, or cut it."""
    return finding.code in _CODES
