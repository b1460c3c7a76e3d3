"""Look into traces beside the script, in one thread of low priority: the script keeps its processors."""

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from scopelight.capture.window import Observation
from scopelight.findings import warning

NICENESS = 5

Tell = Callable[[Observation], None]


def _preload() -> None:
    """Import what `observe` needs while the script is still starting."""
    import scopelight.analysis.steps.bursts  # noqa: PLC0415
    import scopelight.model.opening.profile  # noqa: F401, PLC0415


def observe(file: Path) -> Observation:
    """Look for the steps, as they will be shown. A trace that cannot be read shows nothing, with the reason."""
    from scopelight.analysis.steps.bursts import longest_burst  # noqa: PLC0415
    from scopelight.analysis.steps.steps import find_steps  # noqa: PLC0415
    from scopelight.formats.errors import FormatError  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415

    try:
        profile = open_profile(file)
    except FormatError as error:
        return Observation(None, why_none=warning("trace-unreadable", problem=error.sentence), is_unreadable=True)
    found = find_steps(profile)
    period_ps, burst = found.period_ps, longest_burst(found, profile.compiling)
    return Observation(
        period_seconds=None if period_ps is None else period_ps / 1e12,
        periods=len(found),
        executions=len(profile.executions) or profile.unrecorded_runs,
        why_none=found.why_none,
        name=found.name,
        burst_seconds=None if burst is None else burst.duration_ps / 1e12,
        burst_steps=None if burst is None else burst.steps,
    )


class Observer:
    """Answers with `Observation`s, one after another; imports what it needs while the script is still starting."""

    def __init__(self, observe: Callable[[Path], Observation] = observe) -> None:
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
        # With full priority: on a busy machine the script would otherwise end before all is imported.
        _preload()
        if sys.platform == "linux":
            # On Linux a niceness belongs to the thread.
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while (asked := self._files.get()) is not None:
            file, tell = asked
            tell(self.look_now(file))

    def look_now(self, file: Path) -> Observation:
        """Observe in the calling thread. A trace that cannot be looked at is no reason to lose the run."""
        try:
            return self._observe(file)
        except Exception as error:
            why_none = warning("trace-not-looked-at", problem=f"{type(error).__name__}: {error}")
            return Observation(None, why_none=why_none, is_unreadable=True)
