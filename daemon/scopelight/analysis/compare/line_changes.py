"""What became of the lines of a run since the one that it is compared with, by the keys of its own lines."""

from collections.abc import Mapping

import attrs

from scopelight.analysis.compare.records import ComparedRow, ComparisonRecord
from scopelight.analysis.records import LineRecord

LEAST_FLOPS_RATIO = 1e-3
"""A line's part of an op that several share is estimated: less is no change of what it computes."""


@attrs.frozen(eq=False, repr=False)
class LineChanges:
    """The comparison of a run by line. ``since`` is what was before, in a word."""

    record: ComparisonRecord
    since: str
    _rows: Mapping[str, ComparedRow] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        rows = {row.after_key: row for row in self.record.rows if row.kind == "line" and row.after_key is not None}
        object.__setattr__(self, "_rows", rows)

    def of(self, line: LineRecord) -> ComparedRow | None:
        """What became of a line of the run that is after."""
        return self._rows.get(line.key)

    @property
    def whole_ps(self) -> int:
        """What all lines sum to, on the side that has more."""
        totals = self.record.totals
        return max(totals.before_ps or 0, totals.after_ps or 0)


def flops_change_ratio(row: ComparedRow) -> float | None:
    """By how much the FLOPs of a row changed; None where they did not, or are not known of both."""
    if not row.before_flops or row.after_flops is None:
        return None
    ratio = row.after_flops / row.before_flops - 1
    return ratio if abs(ratio) > LEAST_FLOPS_RATIO else None
