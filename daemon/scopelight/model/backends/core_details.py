"""Which core of which chip a TPU's plane is of: its stat ``core_details``, a message in bytes."""

import numpy as np

from scopelight.formats.wire import scan_message
from scopelight.model.executions import ChipCore

_CORE, _LOCAL_CHIP, _CHIP, _CORE_OF_JOB = 3, 4, 5, 6
_MOST = 2**31


def core_details(stat: object) -> tuple[ChipCore | None, int | None]:
    """The core, and its number in the whole job; None each where the stat does not say it. Zeros are left out in it."""
    if not isinstance(stat, bytes) or not stat:
        return None, None
    message = scan_message(np.frombuffer(stat, dtype=np.uint8), 0, len(stat))
    # A varint's value is the second column of a row.
    values = {int(tag) >> 3: int(value) for tag, value, *_ in message.rows if int(tag) & 7 == 0}
    if message.fault.any() or not values or not all(0 <= each < _MOST for each in values.values()):
        return None, None
    core = ChipCore(values.get(_CORE, 0), values.get(_LOCAL_CHIP, 0), values.get(_CHIP, 0))
    return core, values.get(_CORE_OF_JOB, 0)
