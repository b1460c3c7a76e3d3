"""Look into traces beside the script, in one thread of low priority: the script keeps its processors."""

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from scopelight.capture.conducting.observation import observe, preload
from scopelight.capture.observed import Observation
from scopelight.findings import warning

NICENESS = 5

Tell = Callable[[Observation], None]


class Observer:
    """Answers with `Observation`s, one after another; imports what it needs while the script is still starting."""

    def __init__(self, observe: Callable[[Path, Sequence[Path]], Observation] = observe) -> None:
        self._observe = observe
        self._work_to_do: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="observer", daemon=True)
        self._thread.start()

    def look(self, file: Path, earlier: Sequence[Path], tell: Tell) -> None:
        """Observe a trace and call ``tell``, in the observer's thread."""
        self.do(lambda: tell(self.look_now(file, earlier)))

    def do(self, work: Callable[[], None]) -> None:
        """Have something else done with a trace, in the observer's thread."""
        self._work_to_do.put(work)

    def close(self) -> None:
        """Wait until the thread has answered and ended: an interpreter must not end in the midst of an import."""
        self._work_to_do.put(None)
        self._thread.join()

    def _work(self) -> None:
        # With full priority: on a busy machine the script would otherwise end before all is imported.
        preload()
        if sys.platform == "linux":
            # On Linux a niceness belongs to the thread.
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while (work := self._work_to_do.get()) is not None:
            work()

    def look_now(self, file: Path, earlier: Sequence[Path] = ()) -> Observation:
        """Observe in the calling thread. A trace that cannot be looked at is no reason to lose the run."""
        try:
            return self._observe(file, earlier)
        except Exception as error:
            why_none = warning("trace-not-looked-at", problem=f"{type(error).__name__}: {error}")
            return Observation(None, why_none=why_none, is_unreadable=True)
