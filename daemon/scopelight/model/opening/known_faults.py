"""What versions of jax are known to record wrongly, where nothing in the profile tells."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from scopelight.findings import Finding, warning
from scopelight.program.hlo.nouns import HloModule

if TYPE_CHECKING:
    from scopelight.model.run.information import RunInformation

_FRAMES_MIXED_UP: Final = ("0.8.2", "0.8.3")
"""Instructions of partitioned programs have numbers of frames of another table than the program's, as in all of jax
from 0.7 to 0.8; these versions alone do not state the place beside the number."""


def known_faults(capture: "RunInformation | None", modules: Iterable[HloModule]) -> Iterator[Finding]:
    """What is wrong in a run of these programs."""
    version = capture.versions.get("jax") if capture is not None else None
    if version in _FRAMES_MIXED_UP and any(module.device_count > 1 for module in modules):
        yield warning("frames-mixed-up", version=version)
