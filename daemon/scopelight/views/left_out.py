"""What a capture left out is said in every view, also in those that have no findings of the whole profile."""

from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

FIELDS = ("notes", "findings")
"""Where a record has findings; where it has both, the latter are its rows."""


def with_left_out(record: Any, subject: "Subject") -> Any:  # noqa: ANN401 (any view's)
    """The record of a view with what the capture of its run left out, where it does not say so yet."""
    from scopelight.model.run.left_out import left_out  # noqa: PLC0415 (as all that reads profiles)

    field = next((each for each in FIELDS if hasattr(record, each)), None)
    if field is None or not attrs.has(type(record)):
        return record
    known = getattr(record, field)
    codes = {each.code for each in known}
    missing = tuple(each for each in left_out(subject.profile.capture) if each.code not in codes)
    return attrs.evolve(record, **{field: (*known, *missing)}) if missing else record
