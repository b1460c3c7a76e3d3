"""Holds the script while one trace ends and the next begins: short steps would else run while neither does.

The interpreter is asked to call something in the script's main thread before it goes on with its next statement, and
that waits. Nothing is asked of the script, nor paid for where it is not held. What its devices have queued by then is
waited for as well: it would run unseen.
"""

import ctypes
import os
import sys
import threading
import time
from typing import Any

LONGEST_WAIT_SECONDS = 0.5
"""Until the script can be held, which is in the middle of some call; and until its devices have run what they have."""
_LOOK_SECONDS = 0.001

_call_soon = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.py_object)(("Py_AddPendingCall", ctypes.pythonapi))
# Calls __bool__, and leaves an error that is raised there to the caller: an interrupt is the script's.
_truth = ctypes.cast(ctypes.pythonapi.PyObject_IsTrue, ctypes.c_void_p)


class HeldScript:
    """The script's main thread, stopped between two statements from `hold` to `let_go`, which the agent's thread calls.

    At most for ``longest_seconds``: another thread may wait for what the main one holds.
    """

    def __init__(self, longest_seconds: float) -> None:
        self._longest_seconds = longest_seconds
        self._process = os.getpid()
        self._is_held = threading.Event()
        self._may_go = threading.Event()
        self._may_go.set()

    def hold(self) -> None:
        """Hold the script from its next statement on; return when it is held and its devices have nothing to do."""
        self._is_held.clear()
        self._may_go.clear()
        # The object outlives the call: it is the agent's, who never ends before the script.
        if _call_soon(_truth, self) != 0:
            # There are too many calls pending.
            self._may_go.set()
        elif self._is_held.wait(LONGEST_WAIT_SECONDS):
            wait_for_devices()

    def let_go(self) -> None:
        """Let the script go on, or not wait at all where it has not come to it."""
        self._may_go.set()

    def __bool__(self) -> bool:
        """Waits, called by the interpreter in the main thread, which takes only this answer for no error."""
        # A forked child has inherited the call, and nobody lets it go.
        if os.getpid() == self._process:
            self._is_held.set()
            self._may_go.wait(self._longest_seconds)
        return False


def wait_for_devices() -> None:
    """Until all arrays that there are have been computed, but for those that take too long."""
    live_arrays = getattr(sys.modules.get("jax"), "live_arrays", None)
    end = time.monotonic() + LONGEST_WAIT_SECONDS
    for array in () if live_arrays is None else live_arrays():
        while not _is_ready(array):
            if time.monotonic() > end:
                return
            time.sleep(_LOOK_SECONDS)


def _is_ready(array: Any) -> bool:  # noqa: ANN401
    """Whether nothing more is to be done for it; what is deleted, or cannot say, is waited for no longer."""
    try:
        return bool(array.is_ready())
    except Exception:
        return True
