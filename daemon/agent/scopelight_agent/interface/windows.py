"""Windows that a script's code opens and closes: what runs between is captured, and nothing else."""

from __future__ import annotations

import os
import sys
import threading

from .queues import hand_over
from .switch import IS_OFF, running_agent, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, ParamSpec, Protocol, TypeVar, overload

    from scopelight_agent.shim.agent import Agent

    P = ParamSpec("P")
    T = TypeVar("T")

_COROUTINE, _GENERATORS = 0x80, 0x20 | 0x200
"""Flags of code: of ``async def``, and of functions that yield."""


class CaptureError(RuntimeError):
    """A capture was begun or ended where none can be; the sentence says where the other one began."""


class _Open:
    """The window that is open in this process: where it was opened, in which process, and by which agent."""

    def __init__(self, opened: str, agent: Agent | None) -> None:
        self.opened = opened
        self.process = os.getpid()
        self.agent = agent


_lock = threading.Lock()
_open: _Open | None = None


def start(
    *,
    out: str | os.PathLike[str] | None = None,
    memory: bool = True,
    host: bool = True,
    resources: bool = True,
    conductor: str | os.PathLike[str] | None = None,
) -> None:
    """Capture from here on, until `stop` or the end of the script.

    ``out`` is the run directory; ``memory``, ``host`` and ``resources`` are what else is recorded, ``conductor`` is the
    Python that has Scopelight where this one has not. They are the run's: the first capture of a process decides, and
    in a script that `scopelight run` or SCOPELIGHT_OPTIONS captures, those do. Every window is one of the same run.

    Raises `CaptureError` where a capture of this process's code is open already, and `ValueError` where ``out`` is
    empty.
    """
    if not IS_OFF:
        _check_folder(out)
        _begin(_caller(), out=out, memory=memory, host=host, resources=resources, conductor=conductor)


def stop() -> None:
    """End the capture that `start` began, when the devices have run what they were given.

    Raises `CaptureError` where none is open.
    """
    if not IS_OFF:
        _end()


class _Capture:
    """What `capture` makes: a window around a block, or around calls of a function."""

    def __init__(self, skip: int, calls: int, options: dict[str, Any]) -> None:
        self._skip = skip
        self._calls = calls
        self._options = options
        self._counting = threading.Lock()
        self._called = 0

    def __enter__(self) -> None:
        if not IS_OFF:
            _begin(_caller(), **self._options)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not IS_OFF:
            _end()

    def __call__(self, function: Callable[P, T]) -> Callable[P, T]:
        """Capture calls of a function; that of an ``async def`` until it has returned."""
        if IS_OFF:
            return function
        flags = getattr(getattr(function, "__code__", None), "co_flags", 0)
        if flags & _GENERATORS:
            raise CaptureError(
                "What a generator does is between the values that are taken from it: put `with scopelight.capture():`"
                " around the loop that takes them."
            )
        if flags & _COROUTINE:
            return self._around_coroutine(function)

        from functools import wraps  # noqa: PLC0415 (importing it takes longer than this module)

        @wraps(function)
        def captured(*arguments: P.args, **named: P.kwargs) -> T:
            if not self._is_due():
                return function(*arguments, **named)
            with self:
                return function(*arguments, **named)

        return captured

    def _around_coroutine(self, function: Callable[P, Any]) -> Callable[P, Any]:
        from functools import wraps  # noqa: PLC0415

        @wraps(function)
        async def captured(*arguments: P.args, **named: P.kwargs) -> Any:  # noqa: ANN401
            if not self._is_due():
                return await function(*arguments, **named)
            with self:
                return await function(*arguments, **named)

        return captured

    def _is_due(self) -> bool:
        with self._counting:
            number, self._called = self._called, self._called + 1
        return self._skip <= number < self._skip + self._calls


if TYPE_CHECKING:

    class _MakesCaptures(Protocol):
        @overload
        def __call__(self, function: Callable[P, T], /) -> Callable[P, T]: ...

        @overload
        def __call__(
            self,
            *,
            skip: int = 0,
            calls: int = 1,
            out: str | os.PathLike[str] | None = None,
            memory: bool = True,
            host: bool = True,
            resources: bool = True,
            conductor: str | os.PathLike[str] | None = None,
        ) -> _Capture: ...


def _as_it_is_called(function: Callable[..., Any]) -> _MakesCaptures:
    return function


@_as_it_is_called
def capture(function: Any = None, /, *, skip: int = 0, calls: int = 1, **options: Any) -> Any:  # noqa: ANN401 (see above)
    """Capture a block, ``with scopelight.capture():``, or a function, ``@scopelight.capture``.

    Of a function the first call is captured, or ``calls`` of them after ``skip`` others, each as a window of its own.
    The rest are `start`'s. An exception that leaves the block goes on, and what was captured until then is kept.

    Raises `ValueError` where ``out`` is empty, ``skip`` below 0 or ``calls`` below 1.
    """
    if not IS_OFF:
        _check_folder(options.get("out"))
        if skip < 0:
            raise ValueError(f"skip is {skip}: so many calls are left alone before, and that is 0 or more of them.")
        if calls < 1:
            raise ValueError(f"calls is {calls}: so many calls are captured, and that is 1 or more of them.")
    unknown = set(options) - {"out", "memory", "host", "resources", "conductor"}
    if unknown:
        raise TypeError(f"capture() got an unexpected keyword argument {min(unknown)!r}")
    captured = _Capture(skip, calls, options)
    return captured if function is None else captured(function)


def _check_folder(out: str | os.PathLike[str] | None) -> None:
    """Refuse what an unset variable of a shell leaves: the current folder, which it would mean, is the user's own."""
    if out is not None and not os.fspath(out):
        raise ValueError("out names no folder: it is empty. Name the run directory, or leave it out for a new one.")


def _begin(opened: str, **options: Any) -> None:  # noqa: ANN401 (those of `start`)
    global _open  # noqa: PLW0603 (a process has one)
    with _lock:
        if _open is not None and _open.process == os.getpid():
            raise CaptureError(
                f"A capture is open already, begun in {_open.opened}: end it before another begins. A process has one"
                " at a time, whichever of its threads began it."
            )
        _open = opening = _Open(opened, None)
    if _script_traces():
        say(f"nothing is captured from {opened} on: the script traces itself, and its own trace goes before.")
        return
    try:
        agent = running_agent() or _new_agent(options)
        hand_over(agent)
        wait_for_devices()
        agent.open_window()
        opening.agent = agent
    except Exception as error:
        # The job is worth more than its profile.
        say(f"nothing is captured from {opened} on: {error}")


def _end() -> None:
    global _open
    with _lock:
        ending, _open = _open, None
    if ending is None or ending.process != os.getpid():
        raise CaptureError("No capture is open that scopelight.stop() could end: begin one with scopelight.start().")
    if ending.agent is not None:
        wait_for_devices()
        ending.agent.close_window()


def _new_agent(options: dict[str, Any]) -> Agent:
    # All of this takes a while to import, and most scripts with marks are not captured.
    from dataclasses import replace  # noqa: PLC0415

    from scopelight_agent.entrance import begin  # noqa: PLC0415
    from scopelight_agent.options import Options, OptionsError, read  # noqa: PLC0415

    asked = None
    try:
        asked = read(os.environ)
    except OptionsError as error:
        say(str(error))
    given = {
        name: os.fspath(value) if name in ("out", "conductor") else value
        for name, value in options.items()
        if value is not None
    }
    agent: Agent = begin(asked if asked is not None else replace(Options(start=False), **given))
    return agent


def _script_traces() -> bool:
    """Whether a trace runs that the script has begun itself: jax knows of no other."""
    if "jax" not in sys.modules:
        return False
    from scopelight_agent.shim import own_trace  # noqa: PLC0415

    return own_trace.running()


def wait_for_devices() -> None:
    """Wait until the devices have run what they were given: it is of the side of the border that gave it."""
    live_arrays = getattr(sys.modules.get("jax"), "live_arrays", None)
    for array in () if live_arrays is None else live_arrays():
        try:
            array.block_until_ready()
        except Exception:
            # Deleted meanwhile, or what made it failed: the script hears of that where it uses the array.
            continue


def _caller() -> str:
    """The line of the user's code that asks."""
    frame = sys._getframe(1)
    here = os.path.dirname(__file__)  # noqa: PTH120
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}"
