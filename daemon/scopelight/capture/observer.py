"""Look into traces beside the script: one thread of low priority, so that the script keeps its processors."""

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from scopelight.capture import probe
from scopelight.capture.window import Observation

NICENESS = 5

Tell = Callable[[Observation], None]


class Observer:
    """Answers with `Observation`s, one after another; imports what it needs while the script is still starting."""

    def __init__(self, observe: Callable[[Path], Observation] = probe.observe) -> None:
        self._observe = observe
        self._files: queue.Queue[tuple[Path, Tell] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="observer", daemon=True)
        self._thread.start()

    def look(self, file: Path, tell: Tell) -> None:
        """Observe a trace and call ``tell``, in the observer's thread."""
        self._files.put((file, tell))

    def close(self) -> None:
        """Wait until the thread has answered and ended: an interpreter must not end in the midst of an import."""
        self._files.put(None)
        self._thread.join()

    def _work(self) -> None:
        if sys.platform == "linux":
            # On Linux a niceness belongs to the thread.
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        probe.preload()
        while (asked := self._files.get()) is not None:
            file, tell = asked
            tell(self.look_now(file))

    def look_now(self, file: Path) -> Observation:
        """Observe in the calling thread. A trace that cannot be looked at is no reason to lose the run."""
        try:
            return self._observe(file)
        except Exception as error:
            reason = f"The trace could not be looked at ({type(error).__name__}: {error})."
            return Observation(None, reason=reason, is_unreadable=True)
