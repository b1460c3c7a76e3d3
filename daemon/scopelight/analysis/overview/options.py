"""Options of the overview."""

import attrs

from scopelight.analysis.options import DeviceOption
from scopelight.legible import Legible


@attrs.frozen(repr=False)
class OverviewOptions(Legible):
    """What of a run the overview looks at."""

    device: DeviceOption = None
