"""Options of the view of padding."""

import attrs

from scopelight.analysis.options import TargetOption


@attrs.frozen
class PaddingOptions:
    """What to hold padding against."""

    target: TargetOption = None
