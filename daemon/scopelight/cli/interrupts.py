"""Ctrl-C, where what is under way has to be told."""

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
def ended_by_interrupt() -> Iterator[None]:
    """An interrupt of the block ends the command with its exit code; whoever sent it need not be told."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
