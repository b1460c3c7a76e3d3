"""What a workload knows of itself: when each step began and ended, printed as a line of JSON."""

import contextlib
import itertools
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path


class StepClock:
    """Reads the wall clock around each step.

    A step ends where the scenario says that it ends: mostly after its result was waited for.
    """

    def __init__(self):
        self.start_ns = []
        self.stop_ns = []
        self.process_start_ns = []
        self.process_stop_ns = []

    @staticmethod
    def steps(count: int) -> Iterable[int]:
        """So many steps; where STEPS_UNTIL names a file, as many as there are until it exists, on any machine."""
        enough = os.environ.get("STEPS_UNTIL")
        if enough is None:
            return range(count)
        return itertools.takewhile(lambda _: not Path(enough).exists(), itertools.count())

    @contextlib.contextmanager
    def step(self):
        """Times the body as one step, by the wall and by the processor time of the whole process."""
        self.process_start_ns.append(time.process_time_ns())
        self.start_ns.append(time.time_ns())
        yield
        self.stop_ns.append(time.time_ns())
        self.process_stop_ns.append(time.process_time_ns())

    def report(self):
        """Prints the steps that were completed; times are of the epoch, processor times of the process."""
        print(json.dumps(vars(self)), flush=True)
