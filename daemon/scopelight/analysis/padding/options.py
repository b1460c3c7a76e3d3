"""Options of the view of padding."""

import attrs

from scopelight.analysis.options import ScopeOption, TargetOption


@attrs.frozen
class PaddingOptions:
    """What to hold padding against, and what of the run to look at."""

    target: TargetOption = None
    scope: ScopeOption = None
