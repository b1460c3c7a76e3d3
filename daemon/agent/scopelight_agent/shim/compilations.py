"""Compilations: what jax compiles in this process, where it is called, and why it was not compiled already.

jax explains a miss of its cache where an option is on, as a warning. The option is switched on here, the warning is
kept and goes no further, so that the script says what it says without us; where the script sets the option itself its
warnings are its own.
"""

import logging
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, NamedTuple

from .host.codes import Codes, name_of

TRACED = "/jax/core/compile/jaxpr_trace_duration"
LOWERED = "/jax/core/compile/jaxpr_to_mlir_module_duration"
COMPILED = "/jax/core/compile/backend_compile_duration"
_EXPLAINING = ("jax._src.interpreters.partial_eval", "jax._src.pjit")
"""Loggers of jax that explain; of older versions the latter."""
_CACHING = ("jax._src.compiler", "jax._src.compilation_cache")
"""Those that warn of the persistent cache where the option is on, and else say the same for debugging."""
_OF_CACHE = ("PERSISTENT COMPILATION CACHE MISS", "Not writing persistent cache entry")
_MISS = re.compile(r"TRACING CACHE MISS at (?:(.*?):(\d+))?")
"""Of what is traced anew for a derivative the explanation has no place."""
_MOST_KEPT = 64
"""Explanations of functions within the one that is being traced."""
_MOST_FRAMES = 16
_LONGEST = 2000
"""Characters of an explanation."""


class _Miss(NamedTuple):
    path: str
    line: int
    text: str


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.misses: deque[_Miss] = deque(maxlen=_MOST_KEPT)
        self.traced: float | None = None
        self.lowered = 0.0


class Compilations:
    """Hears of every program that is compiled and calls ``tell`` with ``lowered`` and ``compiled``, and its facts."""

    def __init__(self, tell: Callable[[str, float, dict[str, Any]], None]) -> None:
        self._tell = tell
        self._codes = Codes()
        self._thread = _OfThread()
        self._is_wanted = False
        """Whether the script itself asks jax to explain."""

    def watch(self) -> None:
        """Listen from now on."""
        monitoring = getattr(sys.modules.get("jax"), "monitoring", None) or sys.modules.get("jax._src.monitoring")
        register = getattr(monitoring, "register_event_duration_secs_listener", None)
        if register is not None:
            register(self._heard)
        # Without explanations it is still known what was compiled.
        with suppress(Exception):
            self._have_it_explained()

    def _heard(self, event: str, seconds: float, **named: Any) -> None:  # noqa: ANN401
        thread = self._thread
        name = named.get("fun_name")
        program = name if isinstance(name, str) else None
        if event == TRACED:
            # Functions within are traced before the one around them is.
            thread.traced = seconds
        elif event == LOWERED:
            thread.lowered = seconds
            self._tell("lowered", seconds, {"program": program})
        elif event == COMPILED:
            stack = self._user_frames(sys._getframe(1))
            facts = {
                "program": program,
                "ended_ns": time.time_ns(),
                "trace_seconds": thread.traced,
                "lower_seconds": thread.lowered,
                "explanation": self._explanation(stack),
                "stack": stack,
            }
            thread.traced, thread.lowered = None, 0.0
            thread.misses.clear()
            self._tell("compiled", seconds, facts)

    def _explanation(self, stack: Sequence[tuple[str, int, str]]) -> str | None:
        """What jax said of the call that compiles; of functions within it says the same on other lines."""
        misses = self._thread.misses
        if not stack:
            return None
        path, line, _ = stack[0]
        return next((each.text for each in misses if (each.path, each.line) == (path, line)), None)

    def _user_frames(self, frame: FrameType | None) -> list[tuple[str, int, str]]:
        found: list[tuple[str, int, str]] = []
        while frame is not None and len(found) < _MOST_FRAMES:
            if self._codes.is_users(frame.f_code):
                found.append((frame.f_code.co_filename, frame.f_lineno, name_of(frame.f_code)))
            frame = frame.f_back
        return found

    def _have_it_explained(self) -> None:
        state = getattr(sys.modules.get("jax._src.config"), "explain_cache_misses", None)
        if state is None:
            return
        if state.value:
            self._is_wanted = True
        else:
            state.set_global(True)
        # What the script sets from now on is told here, by the option's own hooks.
        state._update_global_hook = self._was_set
        state._update_thread_local_hook = self._was_set
        for name in _EXPLAINING:
            logging.getLogger(name).addFilter(self._keep_explanation)
        for name in _CACHING:
            logging.getLogger(name).addFilter(self._soften)

    def _was_set(self, value: Any) -> None:  # noqa: ANN401 (what the script sets)
        self._is_wanted = bool(value)

    def _keep_explanation(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        found = _MISS.match(text)
        if found is None:
            return True
        if found[2] is not None:
            self._thread.misses.append(_Miss(found[1], int(found[2]), text[:_LONGEST]))
        return self._is_wanted

    def _soften(self, record: logging.LogRecord) -> bool:
        """What is a warning for the option's sake alone is said as without it: to who asks for debugging."""
        if self._is_wanted or record.levelno != logging.WARNING or not record.getMessage().startswith(_OF_CACHE):
            return True
        record.levelno, record.levelname = logging.DEBUG, logging.getLevelName(logging.DEBUG)
        return logging.getLogger(record.name).isEnabledFor(logging.DEBUG)
