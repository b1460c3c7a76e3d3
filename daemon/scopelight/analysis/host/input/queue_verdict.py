"""What is slow: making the data, moving it, nothing of the input, or the steps themselves."""

from collections.abc import Sequence
from typing import Final

from scopelight.analysis.host.input.graph_records import InputQueue
from scopelight.analysis.host.input.records import QueueVerdict

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
    queues: Sequence[InputQueue], launches: int, idle_launches: int, transfer_ratio: float
) -> QueueVerdict | None:
    """By the queue that is nearest to the steps; None where none is known, or too few gets were seen."""
    nearest = next((each for each in queues if each.is_nearest), None)
    if nearest is None or nearest.gets < LEAST_GETS:
        return None
    if nearest.empty_gets > MOST_EMPTY * nearest.gets:
        return "processing"
    if launches and idle_launches > MOST_IDLE_LAUNCHES * launches and transfer_ratio >= LEAST_TRANSFER:
        return "transfer"
    if nearest.full_gets > MOST_FULL * nearest.gets:
        return "consumer"
    return "keeps-up"
