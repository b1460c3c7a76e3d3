"""Of a run that was predicted every view says so, also those that have no findings of the whole profile."""

from typing import TYPE_CHECKING, Any

import attrs

from scopelight.findings import Finding
from scopelight.views.left_out import FIELDS

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

_OF_RUNS = frozenset(
    ("input", "host", "counters", "hosts", "links", "clocks", "resources", "memory-profile", "timeline")
)
"""Views of what a compiler does not predict: what hosts, links and memories did while something ran."""


def with_prediction(record: Any, subject: "Subject", view: str) -> Any:  # noqa: ANN401 (any view's)
    """The record of a view with the device that it is predicted for, and what is to be known of that."""
    if not hasattr(record, "predicted_for") or subject.profile.prediction is None:
        return record
    from scopelight.analysis.totals.predicted import (  # noqa: PLC0415 (few runs are)
        nothing_predicted,
        predicted_devices,
        predicted_for,
        prediction_note,
    )

    field = next(each for each in FIELDS if hasattr(record, each))
    said: tuple[Finding, ...] = getattr(record, field)
    if view in _OF_RUNS and any(each.severity == "empty" for each in said):
        said = (nothing_predicted(),)
    known = {each.code for each in said}
    more = (each for each in prediction_note(subject.profile) if each.code not in known)
    return attrs.evolve(
        record,
        predicted_for=predicted_for(subject.profile),
        predicted_devices=predicted_devices(subject.profile),
        **{field: (*said, *more)},
    )
