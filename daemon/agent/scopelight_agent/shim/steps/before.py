"""When functions of the script were called before it is known which of them is the step."""

import time
from collections import defaultdict, deque
from itertools import pairwise
from typing import Any, NamedTuple

from .slow import SlowSteps

REMEMBERED = 1024
"""So many calls of each function are remembered."""


class Ended(NamedTuple):
    """A step that has ended, on the clock of time.perf_counter, and how many programs were compiled up to then."""

    number: int
    at: float
    compiles: int


class StepsBefore:
    """The steps of each function or annotation that may turn out to be the one."""

    def __init__(self) -> None:
        self._of: defaultdict[str, deque[Ended]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def ended(self, name: str, number: int, compiles: int) -> None:
        """If it is the step, then the one of this number has ended."""
        self._of[name].append(Ended(number, time.perf_counter(), compiles))

    def judged(self, name: str, slow: SlowSteps) -> dict[str, Any]:
        """The numbers of the steps of this name, when they ``ended`` (seconds since the epoch), and which were slow.
        ``last_ended`` is when the last did, by time.perf_counter; None where none has.

        ``slow`` knows them from now on. All that was remembered is forgotten.
        """
        ended = [each for each in self._of.get(name, ()) if each.number >= 0]
        self._of.clear()
        since_epoch = time.time() - time.perf_counter()
        were_slow = [
            each.number
            for before, each in pairwise(ended)
            if before.compiles == each.compiles and slow.is_slow(each.at - before.at)
        ]
        return {
            "numbers": [each.number for each in ended],
            "ended": [since_epoch + each.at for each in ended],
            "slow": were_slow,
            "last_ended": ended[-1].at if ended else None,
        }
