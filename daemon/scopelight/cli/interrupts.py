"""Ctrl-C, and other requests to end, where what is under way has to be told."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""Exit code."""


@contextmanager
def cancelled_by_interrupt(cancel: Callable[[], None]) -> Iterator[None]:
    """While the block runs the first interrupt calls ``cancel``, wherever the process is then; the next one ends it."""
    before = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (the system's)
        signal.signal(signal.SIGINT, before)
        cancel()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def cancelled_by_signal(cancel: Callable[[int], None]) -> Iterator[None]:
    """While the block runs the first of Ctrl-C, SIGTERM and SIGHUP calls ``cancel`` with its number.

    A Ctrl-C after it ends the process. Another of the others does not: where a terminal is closed the system tells its
    jobs, and so does the shell.
    """
    before = {
        number: signal.getsignal(number)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        # As under nohup.
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    is_cancelled = False

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (the system's)
        nonlocal is_cancelled
        if signal.SIGINT in before:
            signal.signal(signal.SIGINT, before[signal.SIGINT])
        if not is_cancelled:
            is_cancelled = True
            cancel(number)

    for each in before:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def ended_by_interrupt() -> Iterator[None]:
    """An interrupt of the block ends the command with its exit code; whoever sent it need not be told."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
