"""What is slow: making the data, moving it, taking it, nothing of the input, or the steps themselves."""

from collections.abc import Sequence
from typing import Final

from scopelight.analysis.host.input.graph_records import InputQueue
from scopelight.analysis.host.input.records import InputLevel, QueueVerdict
from scopelight.analysis.host.input.wait_place import LongestWait

MOST_EMPTY: Final = 0.3
"""Of the gets: above it making the data is slow. As MindSpore's data preparation has it."""
MOST_FULL: Final = 0.9
"""Of the gets: above it the steps are the bound."""
LEAST_TRANSFER: Final = 0.05
"""Of the wall clock that devices waited for transfers, for these to be what is slow."""
MOST_IDLE_LAUNCHES: Final = 0.5
"""Of the launches that met an idle device, for the device to count as waiting."""
LEAST_GETS: Final = 3


def queue_verdict(
    queues: Sequence[InputQueue],
    launches: int,
    idle_launches: int,
    transfer_ps: int,
    wall_ps: int,
    level: InputLevel | None,
    longest: LongestWait | None,
) -> QueueVerdict | None:
    """By the queue that is nearest to the steps, and by what devices were measured to wait for, which it never denies.

    None where no queue is known, or too few gets were seen. Devices waited for transfers for ``transfer_ps`` of
    ``wall_ps``; ``longest`` is what they waited for longest.
    """
    nearest = next((each for each in queues if each.is_nearest), None)
    if nearest is None or nearest.gets < LEAST_GETS:
        return None
    if nearest.empty_gets > MOST_EMPTY * nearest.gets:
        return "processing" if level != "low" else "barely"
    met_idle = launches and idle_launches > MOST_IDLE_LAUNCHES * launches
    is_moving = met_idle and transfer_ps >= LEAST_TRANSFER * wall_ps
    if level in ("moderate", "high") and longest is not None:
        if is_moving and transfer_ps >= longest.waiting_ps:
            return "transfer"
        # A queue that is seldom empty, but waited for long then, is filled in bursts.
        return longest.place if longest.place != "empty" else "processing"
    if is_moving:
        return "transfer"
    return "consumer" if nearest.full_gets > MOST_FULL * nearest.gets else "keeps-up"
