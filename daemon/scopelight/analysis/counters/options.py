"""Options of hardware counters."""

import attrs

from scopelight.analysis.options import DeviceOption
from scopelight.legible import Legible


@attrs.frozen(repr=False)
class CountersOptions(Legible):
    """Which device is looked at."""

    device: DeviceOption = None
