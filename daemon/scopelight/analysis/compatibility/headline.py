"""What is first to be said of a prediction: that it was cancelled, and which ops the TPU refuses."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.compatibility.placed_ops import placed_ops
from scopelight.analysis.totals.frames import UserFrames
from scopelight.findings import Finding, show_view, warning
from scopelight.model.profile import Profile

_MOST_NAMED: Final = 3


def headline_findings(profile: Profile, frames: UserFrames) -> Iterator[Finding]:
    """Nothing of a prediction that came to its end, and of whose ops the TPU takes all."""
    prediction = profile.prediction
    if prediction is None:
        return
    cancelled = tuple(dict.fromkeys(each.name for each in prediction.programs if each.outcome == "cancelled"))
    if prediction.was_cancelled or cancelled:
        yield warning("prediction-cancelled", names=cancelled)
    yield from _refused_ops(profile, frames)


def _refused_ops(profile: Profile, frames: UserFrames) -> Iterator[Finding]:
    """Each op once where it stands, with the names of files that are not the script's."""
    known = profile.compatibility()
    if known is None:
        return
    refused = [each for each in placed_ops(known, frames) if each.op.verdict == "refused"]
    if not refused:
        return
    script = profile.capture.script if profile.capture is not None else None
    name = None if script is None else _base(script)
    places = dict.fromkeys(
        (
            each.op.primitive,
            "" if each.frame is None or _base(each.frame.path) == name else _base(each.frame.path),
            0 if each.frame is None else each.frame.line,
        )
        for each in refused
    )
    named = list(places)[:_MOST_NAMED]
    yield warning(
        "prediction-refused-ops",
        show_view("compatibility"),
        ops=sum(each.count for each in refused),
        primitives=tuple(primitive for primitive, _, _ in named),
        files=tuple(file for _, file, _ in named),
        lines=tuple(line for _, _, line in named),
        others=len(places) - len(named),
    )


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
